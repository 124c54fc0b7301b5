import { argv } from 'node:process';

import { createSandbox, type Sandbox } from './index.mts';
import { InvalidInput } from './src/base/invalidInput.mts';
import { eventLine } from './src/cli/eventLine.mts';
import { helpText } from './src/cli/helpText.mts';
import { readOptions } from './src/cli/readOptions.mts';
import { verifyCommand } from './src/cli/verify/verifyCommand.mts';
import { InvalidSeed } from './src/seed/seedSource.mts';

const VERIFY = 'verify';
const [command, ...commandArgs] = argv.slice(2);

/** When the sandbox cannot start. */
const FAILURE = 1;
/** When the command line is wrong. */
const WRONG_USAGE = 2;

try {
	const options = command === VERIFY ? undefined : readOptions(argv.slice(2));
	if (command === VERIFY) {
		process.exitCode = await verifyCommand(commandArgs);
	} else if (options === undefined) {
		console.log(helpText());
	} else {
		const { json, watch, ...wanted } = options;
		const sandbox = await createSandbox(wanted);
		// First, because a program may end the sandbox as soon as it has read the line.
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.once(signal, () => void sandbox.close());
		}
		if (sandbox.controlToken !== undefined) console.error(warning(wanted.host));
		console.log(json ? asJson(sandbox) : forPeople(sandbox));
		if (watch) sandbox.watch((event) => console.log(eventLine(event)));
	}
} catch (error) {
	const isUsage = error instanceof InvalidInput && !(error instanceof InvalidSeed);
	console.error(error instanceof Error ? error.message : error);
	const script = command === VERIFY ? VERIFY : 'sandbox';
	if (isUsage) console.error(`All options: npm run ${script} -- --help`);
	process.exitCode = isUsage ? WRONG_USAGE : FAILURE;
}

function asJson({ url, token, control, controlToken }: Sandbox): string {
	return JSON.stringify({ url, token, control, controlToken });
}

function warning(host: string | undefined): string {
	return `
Warning: the sandbox listens on ${host}. Everybody who reaches this machine there can use it, and can
make it send requests. Its control pages need the control token that is printed.`;
}

function forPeople({ url, token, control, controlToken }: Sandbox): string {
	const page = controlToken === undefined ? `${control}/` : `${control}/?token=${controlToken}`;
	return `
The sandbox is running. In n8n, make a "Voice Assistant Calling API" credential with

  Base URL   ${url}
  API Token  ${token}

See what happens, and move its clock:  ${page}
Everything else it can do: sandbox/README.md

Ctrl-C stops it.
`;
}
