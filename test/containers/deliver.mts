import assert from 'node:assert/strict';
import { execa } from 'execa';

import { waitFor } from '../../host/process/wait.mts';
import { deliverOneCall } from './oneCall.mts';

const N8N = 'http://127.0.0.1:5678';
const START_LIMIT_MS = 300_000;

// Has a call delivered where compose.yaml runs. Needs docker compose.

const { stdout: log } = await execa('docker', ['compose', 'logs', '--no-log-prefix', 'sandbox']);
// Each start prints a new one.
const [, controlToken] = [...log.matchAll(/\?token=(\w+)/g)].at(-1) ?? [];
assert.ok(controlToken, 'The sandbox has not printed its control token.');
// Compose waits until n8n's process runs, and n8n then migrates its database.
await waitFor('n8n to be ready', START_LIMIT_MS, async () => {
	const response = await fetch(`${N8N}/healthz/readiness`).catch(() => undefined);
	return response?.ok ? true : undefined;
});
await deliverOneCall({
	n8nUrl: N8N,
	baseUrl: 'http://sandbox:4010/api',
	token: 'sandbox-token',
	controlUrl: 'http://127.0.0.1:4010/__sandbox',
	controlToken,
});
console.log('The call has started the workflow.');
