import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { env, platform } from 'node:process';

import { createSandbox } from '../../index.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import { helpText } from './helpText.mts';
import { readOptions } from './readOptions.mts';
import { TOKEN_VARIABLE } from './tokenVariable.mts';

/** The status of a command that is not found, as shells have it. */
const NOT_FOUND = 127;
/** A command that a signal has ended has this status, and the signal's number more. */
const SIGNALLED = 128;

const QUIET = 'exec prints only what the command prints: leave out --json and --watch.';
const USAGE = 'Write the command after "--": npm run sandbox -- exec -- npm test';

/**
 * The subcommand `exec`: starts a sandbox on any free port, runs a command that finds its address in the
 * environment, and stops the sandbox.
 *
 * @param args behind `exec`: options of the sandbox, `--`, and the command
 * @returns the exit status of the command; 0 after the help
 * @throws {InvalidInput} when there is no command, or an option is wrong
 */
export async function execCommand(args: string[]): Promise<number> {
	const end = args.indexOf('--');
	const before = end === -1 ? args : args.slice(0, end);
	if (before.includes('--help')) {
		console.log(helpText());
		return 0;
	}
	const [command, ...rest] = end === -1 ? [] : args.slice(end + 1);
	if (command === undefined) throw new InvalidInput(USAGE);
	const options = readOptions(before);
	if (!options || options.json || options.watch) throw new InvalidInput(QUIET);
	const sandbox = await createSandbox({ ...options, port: options.port ?? 0 });
	try {
		const { url, token, control, controlToken } = sandbox;
		return await run(command, rest, {
			VOICE_ASSISTANT_CALLING_BASE_URL: url,
			[TOKEN_VARIABLE]: token,
			VOICE_ASSISTANT_CALLING_CONTROL_URL: control,
			...(controlToken !== undefined && { VOICE_ASSISTANT_CALLING_CONTROL_TOKEN: controlToken }),
		});
	} finally {
		await sandbox.close();
	}
}

async function run(command: string, args: string[], variables: NodeJS.ProcessEnv): Promise<number> {
	// npm and others are scripts on Windows, which only its shell starts.
	const shell = platform === 'win32';
	const child = spawn(command, args, { stdio: 'inherit', env: { ...env, ...variables }, shell });
	// At Ctrl-C the terminal tells the command, too; the sandbox ends after it.
	const ignore = () => undefined;
	const forward = () => child.kill('SIGTERM');
	process.on('SIGINT', ignore).on('SIGTERM', forward);
	try {
		const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
		return status ?? SIGNALLED + constants.signals[signal ?? 'SIGTERM'];
	} catch (error) {
		console.error(`"${command}" could not be started. ${(error as Error).message}`);
		return NOT_FOUND;
	} finally {
		process.off('SIGINT', ignore).off('SIGTERM', forward);
	}
}
