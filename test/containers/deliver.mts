import assert from 'node:assert/strict';
import { execa } from 'execa';

import { openEditor } from '../../host/api/editor.mts';
import { getItems } from '../../host/api/execution.mts';
import { OWNER, saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import { createSandboxClient } from '../../sandbox/client.mts';
import { CALL, trigger, workflow } from '../support/workflows.mts';

// Has a call delivered where compose.yaml runs, and replaces the sandbox's container. Needs docker compose.

const N8N = 'http://127.0.0.1:5678';
const CONTROL = 'http://127.0.0.1:4010/__sandbox';
const START_LIMIT_MS = 300_000;
const LIMIT_MS = 120_000;
/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT3M';
const ASSISTANT = 1;

const compose = async (...args: string[]): Promise<string> =>
	(await execa('docker', ['compose', ...args])).stdout;

/** A client for the sandbox, with the token that it printed last: each start prints a new one. */
async function openControl() {
	const log = await compose('logs', '--no-log-prefix', 'sandbox');
	const [, token] = [...log.matchAll(/\?token=(\w+)/g)].at(-1) ?? [];
	assert.ok(token, 'The sandbox has not printed its control token.');
	return createSandboxClient(CONTROL, token);
}

// Compose waits until n8n's process runs, and n8n then migrates its database.
await waitFor('n8n to be ready', START_LIMIT_MS, async () => {
	const response = await fetch(`${N8N}/healthz/readiness`).catch(() => undefined);
	return response?.ok ? true : undefined;
});
const editor = openEditor(N8N);
await editor.signIn(OWNER);
const credential = await saveCredential(editor, 'Sandbox', {
	url: 'http://sandbox:4010/api',
	token: 'sandbox-token',
});
const nodes = [trigger('callCompleted', ASSISTANT, credential)];
const { id } = await editor.createWorkflow(workflow('Calls', nodes));
await editor.publish(id);

const control = await openControl();
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
console.log('The call has started the workflow.');

await compose('up', '--detach', '--wait', '--no-deps', '--force-recreate', 'sandbox');
const calls = await (await openControl()).calls();
// Without the data of the former container, they would be those of the seed.
assert.ok(calls.some(({ id }) => id === call.id));
console.log('A new container of the sandbox has its calls.');
