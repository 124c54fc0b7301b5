import { createRequire } from 'node:module';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type * as N8nCore from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';
import type * as Client from '../../../nodes/shared/client/request.ts';

// A process that has sent many requests meets hostile services, in real time. It runs on any Node, also on
// one that does not strip types, with the HTTP client of n8n and the compiled client of the package:
//   <this code as JavaScript> <dist> <token> <URL of a quick response> <URL of a hostile response>…
// It prints a JSON list with what came of each request, and ends.

/** Node 20 lost time limits after some thousand requests. */
const WARM_REQUESTS = 5_000;
const AT_ONCE = 50;
const TIMEOUT_MS = 1_000;
/** Far beyond what a busy machine adds to the timeout. */
const HANGS_MS = 30_000;

const [dist = '', token = '', quick = '', ...hostile] = process.argv.slice(1);
const require = createRequire(`${dist}/`);
const { LoadOptionsContext } = require('n8n-core') as typeof N8nCore;
const { Workflow } = require('n8n-workflow') as typeof N8nWorkflow;
const { sendOnce } = require(`${dist}/nodes/shared/client/request.js`) as typeof Client;

const warnings: string[] = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const node = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const workflow = new Workflow({
	nodes: [],
	connections: {},
	active: false,
	nodeTypes: {
		getByName: () => ({ description: { properties: [] } }),
		getByNameAndVersion: () => ({ description: { properties: [] } }),
		getKnownTypes: () => ({}),
	} as never,
});
const credentialsHelper = {
	getParentTypes: () => [],
	preAuthentication: () => Promise.resolve(undefined),
	authenticate: (_credentials: unknown, _type: string, request: { headers?: object }) =>
		Promise.resolve({
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${token}` },
		}),
};
const context = new LoadOptionsContext(
	workflow,
	node as N8nWorkflow.INode,
	{ credentialsHelper } as never,
	'',
);

const canceled = new AbortController().signal;
const credential = { apiToken: token };
const send = (url: string, method: 'GET' | 'POST', timeout: number) =>
	sendOnce(context, { method, url, timeout }, credential, canceled);
const sendQuickly = async () => {
	const sent = Array.from({ length: AT_ONCE }, () => send(quick, 'GET', 60_000));
	const failed = (await Promise.all(sent)).find((outcome) => 'failure' in outcome);
	if (failed) throw new Error(JSON.stringify(failed));
};

for (let sent = 0; sent < WARM_REQUESTS; sent += AT_ONCE) await sendQuickly();

const startedAt = Date.now();
const meetings = hostile.flatMap((url) =>
	(['GET', 'POST'] as const).map((method) => ({ url, method, hasEnded: false, outcome: {} })),
);
for (const meeting of meetings) {
	void send(meeting.url, meeting.method, TIMEOUT_MS).then((outcome) => {
		meeting.hasEnded = true;
		meeting.outcome = outcome;
	});
}
// n8n does other things meanwhile, and Node collects what nobody holds.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
while (meetings.some(({ hasEnded }) => !hasEnded) && Date.now() - startedAt < HANGS_MS) {
	await sendQuickly();
	collectGarbage();
	await delay(1);
}
process.stdout.write(JSON.stringify({ version: process.version, warnings, meetings }), () =>
	process.exit(),
);
