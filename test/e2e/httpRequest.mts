import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import type { Checks } from '../support/checks.mts';
import { get, start, START, workflow } from '../support/workflows.mts';
import type { Credentials, Stage } from './testEnvironment.mts';

const NODE = 'HTTP Request';

/** The credential signs requests of n8n's own *HTTP Request* node too. */
export async function httpRequest(
	{ check }: Checks,
	{ editor, service }: Stage,
	{ alice }: Credentials,
): Promise<void> {
	await check("n8n's HTTP Request node can use the credential", async () => {
		const request = get(NODE, `${service.url}/user/calls`);
		const signed = {
			...request,
			parameters: {
				...(request.parameters as object),
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
			},
			credentials: { [CREDENTIAL_TYPE]: { id: alice.id, name: alice.name } },
		};
		const { id } = await editor.createWorkflow(
			workflow('HTTP Request with the credential', [start(), signed], [[START, NODE]]),
		);
		const execution = await editor.run(id, START);
		assert.equal(execution.status, 'success', execution.error);
		assert.partialDeepStrictEqual(itemsOf(execution, NODE), [{ current_page: 1 }]);
	});
}
