import { isLoopbackUrl } from '../../base/address.mts';
import { currentTime, timeLimit } from '../../base/realTime.mts';
import type { Finding } from '../../verify/finding.mts';
import { exitStatus, verifyAccount, type Result } from '../../verify/verify.mts';
import { readVerifyOptions, VERIFY_HELP } from './options.mts';
import { readToken } from './readToken.mts';

/** A run that takes longer ends. A service may ask for pauses. */
const LIMIT_MS = 30 * 60_000;

/**
 * The subcommand `verify`: checks an account, and prints what it finds.
 *
 * @param args behind `verify`
 * @returns the exit status
 * @throws {InvalidInput} when the command line is wrong, or there is no token
 */
export async function verifyCommand(args: string[]): Promise<number> {
	const options = readVerifyOptions(args);
	if (!options) {
		console.log(VERIFY_HELP);
		return 0;
	}
	const { host, protocol } = new URL(options.baseUrl);
	const isLoopback = isLoopbackUrl(options.baseUrl);
	if (protocol === 'http:' && !isLoopback) {
		console.error(
			`Warning: the API token goes to ${host} without encryption. Use https if the service has it.`,
		);
	}
	const token = await readToken();
	console.log(`${host}, ${currentTime().toISOString().slice(0, 10)}\n`);
	const result = await verifyAccount({
		...options,
		token,
		signal: timeLimit(LIMIT_MS, shutdownSignal()),
		// Nobody else uses a service on this machine.
		...(isLoopback && { pause: 0 }),
		onFinding: (finding) => console.log(findingLines(finding)),
	});
	console.log(summary(result));
	return exitStatus(result);
}

/** Aborts at Ctrl-C, and when the terminal is closed. The process ends after the present request. */
function shutdownSignal(): AbortSignal {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			controller.abort();
			console.error('It ends as soon as the present request is over.');
		});
	}
	// A closed terminal or pipe takes no output, which must not end the process either.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
	return controller.signal;
}

/** A finding, with its paths below it. */
export const findingLines = ({ outcome, topic, text, paths }: Finding): string =>
	[`${outcome.padEnd(7)}  ${topic}: ${text}`, ...paths.map((path) => `           ${path}`)].join(
		'\n',
	);

/** What follows the findings. */
export function summary({ findings, requests, stopped }: Result): string {
	const count = (wanted: string) => findings.filter(({ outcome }) => outcome === wanted).length;
	const counts = ['ok', 'note', 'problem', 'open', 'failed'].map(
		(word) => `${count(word)} ${word}`,
	);
	const end = `${counts.join(', ')}. ${requests} requests were sent.`;
	return ['', ...(stopped === undefined ? [] : [stopped, '']), end].join('\n');
}
