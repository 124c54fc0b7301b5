import { argv } from 'node:process';

import type { Sandbox } from './index.mts';
import { InvalidInput } from './src/base/invalidInput.mts';
import { InvalidFile } from './src/base/yamlFile.mts';
import { eventLine } from './src/cli/eventLine.mts';
import { helpText } from './src/cli/helpText.mts';
import { readOptions } from './src/cli/readOptions.mts';

/** When the sandbox cannot start. */
const FAILURE = 1;
/** When the command line is wrong. Of `verify`: when something could not be checked. */
const WRONG_USAGE = 2;

const [first, ...others] = argv.slice(2);
const isVerify = first === 'verify';

try {
	await run();
} catch (error) {
	const isUsage = error instanceof InvalidInput && !(error instanceof InvalidFile);
	console.error(error instanceof Error ? error.message : error);
	const script = isVerify ? 'verify' : 'sandbox';
	if (isUsage) console.error(`All options: npm run ${script} -- --help`);
	process.exitCode = isUsage || isVerify ? WRONG_USAGE : FAILURE;
}

/** Each command loads what it needs: the whole sandbox takes several times as long as a help text. */
async function run(): Promise<void> {
	if (isVerify) {
		const { verifyCommand } = await import('./src/cli/verify/verifyCommand.mts');
		process.exitCode = await verifyCommand(others);
	} else if (first === 'exec') {
		const { execCommand } = await import('./src/cli/execCommand.mts');
		process.exitCode = await execCommand(others);
	} else await start(argv.slice(2));
}

async function start(args: string[]): Promise<void> {
	const options = readOptions(args);
	if (options === undefined) {
		console.log(helpText());
		return;
	}
	const { json, watch, ...wanted } = options;
	const { createSandbox } = await import('./index.mts');
	const sandbox = await createSandbox(wanted);
	// First, because a program may end the sandbox as soon as it has read the line.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
	if (sandbox.controlToken !== undefined) console.error(warning(wanted.host));
	console.log(json ? asJson(sandbox) : forPeople(sandbox));
	if (watch) sandbox.watch((event) => console.log(eventLine(event)));
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
