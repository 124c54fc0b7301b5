import assert from 'node:assert/strict';

import { openEditor } from '../../host/api/editor.mts';
import { getItems } from '../../host/api/execution.mts';
import { OWNER, saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import { createSandboxClient } from '../../sandbox/client.mts';
import { CALL, trigger, workflow } from '../support/workflows.mts';

const LIMIT_MS = 120_000;
/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT3M';
const ASSISTANT = 1;

/** Where the servers of compose.yaml are. */
export interface Servers {
	/** Of n8n, for this machine. */
	n8nUrl: string;
	/** Of the sandbox, for n8n. */
	baseUrl: string;
	token: string;
	/** Of the sandbox, for this machine. */
	controlUrl: string;
	controlToken: string;
}

/** Publishes a trigger in a new n8n, has an assistant call somebody, and waits for the execution. */
export async function deliverOneCall(servers: Servers): Promise<void> {
	const { n8nUrl, baseUrl, token, controlUrl, controlToken } = servers;
	const editor = openEditor(n8nUrl);
	await editor.signIn(OWNER);
	const credential = await saveCredential(editor, 'Sandbox', { url: baseUrl, token });
	const nodes = [trigger('callCompleted', ASSISTANT, credential)];
	const { id } = await editor.createWorkflow(workflow('Calls', nodes));
	await editor.publish(id);

	const control = createSandboxClient(controlUrl, controlToken);
	const call = await control.outbound({ assistant_id: ASSISTANT, to: '+14155550123' });
	await control.advance(A_CALL);
	const [execution] = await waitFor('the execution of the call', LIMIT_MS, async () => {
		const ended = await editor.executions(id);
		return ended.length > 0 ? ended : undefined;
	});
	assert.ok(execution);
	assert.equal(execution.status, 'success', execution.error);
	assert.deepEqual(
		getItems(execution, CALL).map((item) => item.id),
		[call.id],
	);
}
