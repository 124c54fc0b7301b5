import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { openEditor } from '../host/api/editor.mts';
import { ADD_LEAD, THANK_BY_SMS } from '../host/n8n/examples.mts';
import { hostFolder, installN8n } from '../host/n8n/installN8n.mts';
import {
	Interruption,
	noticeInterruption,
	unlessInterrupted,
} from '../host/process/shutdownSignal.mts';
import { Lifetime } from '../host/process/cleanup.mts';
import { startN8n, type N8n } from '../host/n8n/startN8n.mts';
import { requireFreePort } from '../host/process/ports.mts';
import { OWNER, setUp, type Setup } from '../host/n8n/provision.mts';
import { placePackage } from '../host/n8n/installPackage.mts';
import { createSandbox } from '../sandbox/index.mts';

const DATA = join(dirname(import.meta.dirname), '.data');

const interrupt = noticeInterruption();
const lifetime = new Lifetime(interrupt);
let n8n: N8n | undefined;
try {
	await unlessInterrupted(interrupt, start());
} catch (error) {
	if (!(error instanceof Interruption)) {
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		if (n8n !== undefined) console.error(`\nThe end of n8n's log:\n${await n8n.logTail()}`);
		process.exitCode = 1;
	}
} finally {
	if (interrupt.aborted) console.log('\nStopping …');
	await lifetime.end();
}

async function start(): Promise<never> {
	const { port, sandboxPort } = readPorts();
	await requireFreePort(port, 'n8n', '--port');
	await requireFreePort(sandboxPort, 'the sandbox', '--sandbox-port');
	const folder = hostFolder('current');
	await installN8n(folder, interrupt);

	console.log('Starting n8n and the sandbox …');
	const userFolder = join(DATA, 'n8n');
	await placePackage(userFolder);
	n8n = await startN8n({ folder, userFolder, port, lifetime });
	const editor = openEditor(n8n.url);
	const isOurs = await editor.signIn(OWNER);

	// After n8n, so that calls which ended since the last time find it listening.
	const dataFile = join(DATA, 'sandbox.db');
	const sandbox = await createSandbox({ port: sandboxPort, dataFile });
	await lifetime.atEnd(async () => await sandbox.close());
	if (isOurs) {
		const setup = await setUp(editor, { baseUrl: sandbox.url, apiToken: sandbox.token });
		console.log(welcome(n8n.url, sandbox, setup));
	} else {
		console.log(welcomeBack(n8n.url));
	}
	return await n8n.failure;
}

function readPorts(): { port: number; sandboxPort: number } {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '4010' },
		},
	});
	return { port: portOf(values.port), sandboxPort: portOf(values['sandbox-port']) };
}

function portOf(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Error(`"${text}" is not a port. A port is a whole number from 1 to 65535.`);
}

function welcome(n8n: string, sandbox: { url: string; control: string }, setup: Setup): string {
	const link = (name: string): string => `${n8n}/workflow/${setup.workflow(name).id}`;
	return `
  n8n is ready.  Open ${n8n}
  Sign in with   ${OWNER.email}  and the password  ${OWNER.password}

  Try the main story:
  1. Open "${THANK_BY_SMS}" and click Publish.
     ${link(THANK_BY_SMS)}
  2. Open "${ADD_LEAD}" and click Execute workflow.
     ${link(ADD_LEAD)}
  3. The assistant now calls the lead. The call takes a good minute, as calls do. When it is
     over, the first workflow runs by itself: see its Executions. The SMS has gone out.

  Nobody is really called: the service is a sandbox on this machine, ${sandbox.url}
  What it was asked, and what it delivered:
     ${sandbox.control}/requests
     ${sandbox.control}/deliveries

  Ctrl-C stops everything. The data stays in .data/ for the next start; delete that folder to
  begin anew.
`;
}

function welcomeBack(n8n: string): string {
	return `
  n8n is ready.  Open ${n8n}
  Its owner is no longer ${OWNER.email} with the password ${OWNER.password}: sign in with your own.
  The credential and the example workflows were left as they are. To begin anew, stop with Ctrl-C
  and delete .data/.
`;
}
