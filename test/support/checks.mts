import {
	Interruption,
	noticeInterruption,
	unlessInterrupted,
} from '../../host/process/shutdownSignal.mts';
import { Lifetime } from '../../host/process/cleanup.mts';

/** The last resort for a check that hangs; the waits within have shorter limits of their own. */
const CHECK_LIMIT_MS = 300_000;

/** A suite of checks against something real that is running, one story. */
export interface Checks {
	/** Aborted by Ctrl-C, for what takes long. */
	interrupt: AbortSignal;
	/** Takes what has to be stopped and removed at the end, also after a failure and Ctrl-C. */
	lifetime: Lifetime;
	/**
	 * Runs one check and prints a line with its time. What `work` throws makes it fail, and the story
	 * goes on. Checks may run side by side; each is waited for at the end.
	 *
	 * @param name what is true when it passes: "a wrong token is told apart"; once per suite
	 * @param limitMs milliseconds until it fails without having ended
	 * @returns what `work` gave, undefined when it failed
	 */
	check: <T>(name: string, work: () => T | Promise<T>, limitMs?: number) => Promise<T | undefined>;
	/** Like `check`, for what the rest depends on: when it fails, the story ends here. */
	require: <T>(name: string, work: () => T | Promise<T>, limitMs?: number) => Promise<T>;
	/** Reports loudly that a check cannot run. That fails the suite, unless the skip is `allowed`. */
	skip: (name: string, reason: string, allowed?: 'allowed') => void;
	/** Adds text for whoever looks into a failure, such as the end of a server's log. */
	onFailure: (title: string, text: () => Promise<string>) => void;
}

/** The story cannot go on; why has been printed. */
class CannotGoOn extends Error {}

/**
 * Runs a suite from beginning to end: prints one line per check (`ok   1.2 s  name`, `FAIL`, `SKIP`),
 * stops what the story started, and ends with the line `N passed, N failed` and the exit code, 0 when
 * nothing failed and something passed.
 *
 * @param story calls the checks; what it throws itself counts as a failure
 */
export async function runChecks(story: (checks: Checks) => Promise<void>): Promise<void> {
	const interrupt = noticeInterruption();
	const lifetime = new Lifetime(interrupt);
	const names = new Set<string>();
	const running = new Set<Promise<unknown>>();
	const explanations: Array<{ title: string; text: () => Promise<string> }> = [];
	let passed = 0;
	let failed = 0;

	const report = (outcome: string, name: string, begin: number): void => {
		const seconds = ((performance.now() - begin) / 1000).toFixed(1).padStart(6);
		console.log(`${outcome.padEnd(4)} ${seconds} s  ${name}`);
	};
	const fail = (name: string, begin: number, reason: string): void => {
		// What was under way at Ctrl-C fails because of it.
		if (interrupt.aborted) return;
		failed += 1;
		report('FAIL', name, begin);
		console.log(reason.replaceAll(/^/gm, '       '));
	};
	const claim = (name: string): void => {
		if (names.has(name)) throw new Error(`Two checks have the same name: ${name}`);
		names.add(name);
	};

	const attempt = async <T,>(
		name: string,
		work: () => T | Promise<T>,
		limitMs = CHECK_LIMIT_MS,
	): Promise<{ result: T } | undefined> => {
		claim(name);
		const begin = performance.now();
		const ended = within(limitMs, work).then(
			(result) => {
				if (!interrupt.aborted) {
					passed += 1;
					report('ok', name, begin);
				}
				return { result };
			},
			(error: unknown) => {
				fail(name, begin, inWords(error));
				return undefined;
			},
		);
		running.add(ended);
		return await ended;
	};

	const checks: Checks = {
		interrupt,
		lifetime,
		check: async (name, work, limitMs) => (await attempt(name, work, limitMs))?.result,
		async require(name, work, limitMs) {
			const outcome = await attempt(name, work, limitMs);
			if (outcome === undefined) throw new CannotGoOn();
			return outcome.result;
		},
		skip(name, reason, allowed) {
			claim(name);
			if (allowed !== 'allowed') failed += 1;
			report('SKIP', `${name}\n     ******** not checked: ${reason} ********`, performance.now());
		},
		onFailure(title, text) {
			explanations.push({ title, text });
		},
	};

	const begin = performance.now();
	try {
		await unlessInterrupted(interrupt, story(checks));
	} catch (error) {
		if (error instanceof Interruption) console.log('Interrupted.');
		else if (!(error instanceof CannotGoOn)) fail('the story itself', begin, inWords(error));
	}
	if (!interrupt.aborted) await unlessInterrupted(interrupt, Promise.all(running)).catch(() => {});
	if (failed > 0 && !interrupt.aborted) {
		for (const { title, text } of explanations) {
			console.log(`\n${title}:\n${await text().catch(inWords)}`);
		}
	}
	const stopping = performance.now();
	await lifetime.end().catch((error: unknown) => {
		fail('everything is stopped', stopping, inWords(error));
	});
	process.exitCode = failed === 0 && passed > 0 && !interrupt.aborted ? 0 : 1;
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

/** The message, where in the tests it comes from, and what was behind it. */
function inWords(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const places = (error.stack ?? '').split('\n').filter((line) => /^ +at .*\/test\//.test(line));
	const place = places.find((line) => !line.includes('/support/checks.mts'))?.trim();
	const cause = error.cause === undefined ? undefined : `because: ${inWords(error.cause)}`;
	return [error.message, place, cause].filter(Boolean).join('\n');
}
