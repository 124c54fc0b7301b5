import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { httpRequest } from '../support/workflows.mts';
import { runNode } from './runNode.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const NODE = 'HTTP Request';

/** n8n's own *HTTP Request* node with the credential. */
export async function httpRequestNode(environment: E2eEnvironment): Promise<void> {
	const { check, service, alice } = environment;
	await check("n8n's HTTP Request node can use the credential", async () => {
		const request = httpRequest(NODE, { url: `${service.url}/user/calls`, options: {} }, alice);
		const execution = await runNode(environment, request);
		assert.equal(execution.status, 'success', execution.error);
		assert.partialDeepStrictEqual(getItems(execution, NODE), [{ current_page: 1 }]);
	});
}
