import { basename, dirname } from 'node:path';
import { test } from 'node:test';

import { Cleanup } from '../../host/process/cleanup.mts';
import { createShutdownSignal } from '../../host/process/shutdownSignal.mts';

/** The last resort for a check that hangs; what it waits for has shorter limits. */
const CHECK_LIMIT_MS = 30 * 60_000;

/** A suite of checks against running servers: each is a test of Node's test runner. */
export interface Checks {
	/** Stops and removes things at the end, also after a failure and Ctrl-C. */
	cleanup: Cleanup;
	/**
	 * Runs one check. An error of `work` makes it fail, and the suite continues. Checks may run side by
	 * side.
	 *
	 * @param name what is true when it passes: "a wrong token gets 401"
	 * @param limitMs milliseconds until it fails without having ended
	 * @returns the result of `work`, undefined when it failed
	 */
	check: <T>(name: string, work: () => T | Promise<T>, limitMs?: number) => Promise<T | undefined>;
	/** Like `check`, but a failure ends the suite, because the rest depends on it. */
	require: <T>(name: string, work: () => T | Promise<T>, limitMs?: number) => Promise<T>;
	/** Prints a text after a failure, such as the end of a server's log. */
	onFailure: (title: string, text: () => Promise<string>) => void;
}

/**
 * Runs a suite, and stops what it started. The exit code is 0 when all checks passed.
 *
 * @param suite calls the checks; an error of its own fails the suite
 */
export async function runChecks(suite: (checks: Checks) => Promise<void>): Promise<void> {
	const signal = createShutdownSignal();
	const cleanup = new Cleanup(signal);
	const failureDetails: Array<{ title: string; text: () => Promise<string> }> = [];
	const name = basename(dirname(process.argv[1] ?? ''));

	await test(name, { concurrency: true, signal }, async (context) => {
		const outcomes: boolean[] = [];
		const attempt = async <T,>(
			check: string,
			work: () => T | Promise<T>,
			timeout = CHECK_LIMIT_MS,
		): Promise<{ result: T } | undefined> => {
			let outcome: { result: T } | undefined;
			await context.test(check, { timeout }, async () => {
				outcome = { result: await work() };
			});
			outcomes.push(outcome !== undefined);
			return outcome;
		};
		context.after(async () => {
			if (outcomes.includes(false) && !signal.aborted) {
				for (const { title, text } of failureDetails) {
					console.log(`\n${title}:\n${await text().catch(String)}`);
				}
			}
			await cleanup.run();
		});

		await suite({
			cleanup,
			check: async (...check) => (await attempt(...check))?.result,
			async require(...check) {
				const outcome = await attempt(...check);
				if (outcome === undefined) throw new Error(`The suite ends, because it needs: ${check[0]}`);
				return outcome.result;
			},
			onFailure: (title, text) => failureDetails.push({ title, text }),
		});
		if (outcomes.length === 0) throw new Error('The suite has no checks.');
	});
}
