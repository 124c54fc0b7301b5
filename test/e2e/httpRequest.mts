import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import type { Checks } from '../support/checks.mts';
import { httpRequest, start, START, workflow } from '../support/workflows.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const NODE = 'HTTP Request';

/** n8n's own *HTTP Request* node with the credential. */
export async function httpRequestNode(
	{ check }: Checks,
	{ editor, service, alice }: E2eEnvironment,
): Promise<void> {
	await check("n8n's HTTP Request node can use the credential", async () => {
		const request = httpRequest(NODE, { url: `${service.url}/user/calls`, options: {} }, alice);
		const { id } = await editor.createWorkflow(
			workflow('HTTP Request with the credential', [start(), request], [[START, NODE]]),
		);
		const execution = await editor.run(id, START);
		assert.equal(execution.status, 'success', execution.error);
		assert.partialDeepStrictEqual(itemsOf(execution, NODE), [{ current_page: 1 }]);
	});
}
