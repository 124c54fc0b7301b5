import assert from 'node:assert/strict';
import { execa } from 'execa';

import { deliverOneCall } from './oneCall.mts';

// Has a call delivered where compose.yaml runs. Needs docker compose.

const { stdout: log } = await execa('docker', ['compose', 'logs', '--no-log-prefix', 'sandbox']);
const [, controlToken] = /\?token=(\w+)/.exec(log) ?? [];
assert.ok(controlToken, 'The sandbox has not printed its control token.');
await deliverOneCall({
	n8nUrl: 'http://127.0.0.1:5678',
	baseUrl: 'http://sandbox:4010/api',
	token: 'sandbox-token',
	controlUrl: 'http://127.0.0.1:4010/__sandbox',
	controlToken,
});
console.log('The call has started the workflow.');
