import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { ADD_LEAD, ANSWER_FREE_SLOTS, THANK_BY_SMS } from '../host/n8n/examples.mts';
import { installN8n } from '../host/n8n/installN8n.mts';
import { OWNER, provision, type Provisioned } from '../host/n8n/provision.mts';
import { startN8nWithPackage } from '../host/n8n/startN8nWithPackage.mts';
import { requireFreePort } from '../host/process/ports.mts';
import { runCommand } from '../host/process/runCommand.mts';
import { createSandbox } from '../sandbox/index.mts';

const DATA = join(dirname(import.meta.dirname), '.data');

await runCommand(async (cleanup) => {
	const { port, sandboxPort } = readPorts();
	await requireFreePort(port, 'n8n', '--port');
	await requireFreePort(sandboxPort, 'the sandbox', '--sandbox-port');
	await installN8n('current', cleanup.shutdownSignal);

	console.log('Starting n8n and the sandbox …');
	const userFolder = join(DATA, 'n8n');
	const options = { host: 'current', userFolder, port, cleanup } as const;
	const { n8n, editor, isSignedIn } = await startN8nWithPackage(options);
	// After n8n, because the sandbox delivers at once what is still pending.
	const dataFile = join(DATA, 'sandbox.db');
	const sandbox = await cleanup.use(createSandbox({ port: sandboxPort, dataFile }));

	console.log(
		isSignedIn ? welcome(n8n.url, sandbox, await provision(editor, sandbox)) : welcomeBack(n8n.url),
	);
	await n8n.failure;
});

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

function welcome(
	n8n: string,
	sandbox: { url: string; control: string },
	provisioned: Provisioned,
): string {
	const link = (name: string): string => `${n8n}/workflow/${provisioned.workflow(name).id}`;
	return `
  n8n is ready.  Open ${n8n}
  Sign in with   ${OWNER.email}  and the password  ${OWNER.password}

  Try the main story:
  1. Open "${THANK_BY_SMS}" and click Publish.
     ${link(THANK_BY_SMS)}
  2. Open "${ANSWER_FREE_SLOTS}" and click Publish.
     ${link(ANSWER_FREE_SLOTS)}
  3. Open "${ADD_LEAD}" and click Execute workflow.
     ${link(ADD_LEAD)}
  4. The assistant calls the lead. During the call it asks the second workflow for a free slot.
     After about a minute the call ends, n8n runs the first workflow, and the SMS goes out: see
     the Executions of both.

  Nobody is really called: the service is a sandbox on this machine, ${sandbox.url}
  The requests it received, the webhooks it delivered, and what its assistants asked:
     ${sandbox.control}/requests
     ${sandbox.control}/deliveries
     ${sandbox.control}/tool-requests

  Ctrl-C stops everything. The data stays in .data/ for the next start. To start with new data,
  delete that folder.
`;
}

function welcomeBack(n8n: string): string {
	return `
  n8n is ready.  Open ${n8n}
  ${OWNER.email} with the password ${OWNER.password} is no longer its owner: sign in with your own.
  The credential and the example workflows are unchanged. To start with new data, stop with Ctrl-C
  and delete .data/.
`;
}
