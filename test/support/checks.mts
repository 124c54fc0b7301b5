import { Cleanup } from '../../host/process/cleanup.mts';
import {
	createShutdownSignal,
	ShutdownRequested,
	untilShutdown,
} from '../../host/process/shutdownSignal.mts';

/** The last resort for a check that hangs; what it waits for has shorter limits. */
const CHECK_LIMIT_MS = 30 * 60_000;

/** A suite of checks against running servers, one after the other. */
export interface Checks {
	/** Stops and removes things at the end, also after a failure and Ctrl-C. */
	cleanup: Cleanup;
	/**
	 * Runs one check and prints a line with its time. An error of `work` makes the check fail, and the
	 * suite continues. Checks may run side by side; the suite waits for each at the end.
	 *
	 * @param name what is true when it passes: "a wrong token gets 401"; unique in the suite
	 * @param limitMs milliseconds until it fails without having ended
	 * @returns the result of `work`, undefined when it failed
	 */
	check: <T>(name: string, work: () => T | Promise<T>, limitMs?: number) => Promise<T | undefined>;
	/** Like `check`, but a failure ends the suite, because the rest depends on it. */
	require: <T>(name: string, work: () => T | Promise<T>, limitMs?: number) => Promise<T>;
	/** Reports that a check cannot run. That fails the suite, unless the skip is `allowed`. */
	skip: (name: string, reason: string, allowed?: 'allowed') => void;
	/** Prints a text after a failure, such as the end of a server's log. */
	onFailure: (title: string, text: () => Promise<string>) => void;
}

/** A required check has failed; the reason has been printed. */
class RequiredCheckFailed extends Error {}

/**
 * Runs a suite: prints one line per check (`ok   1.2 s  name`, `FAIL`, `SKIP`), stops what the suite
 * started, prints `N passed, N failed` at the end, and sets the exit code: 0 when nothing failed and
 * something passed.
 *
 * @param suite calls the checks; an error of its own counts as a failure
 */
export async function runChecks(suite: (checks: Checks) => Promise<void>): Promise<void> {
	const shutdownSignal = createShutdownSignal();
	const cleanup = new Cleanup(shutdownSignal);
	const names = new Set<string>();
	const running = new Set<Promise<unknown>>();
	const failureDetails: Array<{ title: string; text: () => Promise<string> }> = [];
	let passed = 0;
	let failed = 0;

	const report = (outcome: string, name: string, begin: number): void => {
		const seconds = ((performance.now() - begin) / 1000).toFixed(1).padStart(6);
		console.log(`${outcome.padEnd(4)} ${seconds} s  ${name}`);
	};
	const fail = (name: string, begin: number, reason: string): void => {
		// Ctrl-C makes the checks in progress fail.
		if (shutdownSignal.aborted) return;
		failed += 1;
		report('FAIL', name, begin);
		console.log(reason.replaceAll(/^/gm, '       '));
	};
	const addName = (name: string): void => {
		if (names.has(name)) throw new Error(`Two checks have the same name: ${name}`);
		names.add(name);
	};

	const attempt = async <T,>(
		name: string,
		work: () => T | Promise<T>,
		limitMs = CHECK_LIMIT_MS,
	): Promise<{ result: T } | undefined> => {
		addName(name);
		const begin = performance.now();
		const ended = within(limitMs, work).then(
			(result) => {
				if (!shutdownSignal.aborted) {
					passed += 1;
					report('ok', name, begin);
				}
				return { result };
			},
			(error: unknown) => {
				fail(name, begin, describeError(error));
				return undefined;
			},
		);
		running.add(ended);
		return await ended;
	};

	const checks: Checks = {
		cleanup,
		check: async (name, work, limitMs) => (await attempt(name, work, limitMs))?.result,
		async require(name, work, limitMs) {
			const outcome = await attempt(name, work, limitMs);
			if (outcome === undefined) throw new RequiredCheckFailed();
			return outcome.result;
		},
		skip(name, reason, allowed) {
			addName(name);
			if (allowed !== 'allowed') failed += 1;
			report('SKIP', `${name}\n     ******** not checked: ${reason} ********`, performance.now());
		},
		onFailure(title, text) {
			failureDetails.push({ title, text });
		},
	};

	const begin = performance.now();
	try {
		await untilShutdown(shutdownSignal, suite(checks));
	} catch (error) {
		if (error instanceof ShutdownRequested) console.log('Interrupted.');
		else if (!(error instanceof RequiredCheckFailed))
			fail('the suite itself', begin, describeError(error));
	}
	if (!shutdownSignal.aborted)
		await untilShutdown(shutdownSignal, Promise.all(running)).catch(() => {});
	if (failed > 0 && !shutdownSignal.aborted) {
		for (const { title, text } of failureDetails) {
			console.log(`\n${title}:\n${await text().catch(describeError)}`);
		}
	}
	const stopping = performance.now();
	await cleanup.run().catch((error: unknown) => {
		fail('everything is stopped', stopping, describeError(error));
	});
	process.exitCode = failed === 0 && passed > 0 && !shutdownSignal.aborted ? 0 : 1;
	console.log(`\nIn ${Math.round((performance.now() - begin) / 1000)} s:`);
	console.log(`${passed} passed, ${failed} failed`);
}

async function within<T>(limitMs: number, work: () => T | Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<never>((_resolve, reject) => {
		const error = new Error(`It did not end within ${limitMs / 1000} s.`);
		timer = setTimeout(() => reject(error), limitMs);
	});
	try {
		return await Promise.race([work(), limit]);
	} finally {
		clearTimeout(timer);
	}
}

/** The message, its place in the tests, and its cause. */
function describeError(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const places = (error.stack ?? '').split('\n').filter((line) => /^ +at .*\/test\//.test(line));
	const place = places.find((line) => !line.includes('/support/checks.mts'))?.trim();
	const cause = error.cause === undefined ? undefined : `because: ${describeError(error.cause)}`;
	return [error.message, place, cause].filter(Boolean).join('\n');
}
