import { currentTime, wait } from '../base/realTime.mts';
import { notChecked, type Check, type Finding, type Level } from './check.mts';
import { CHECKS } from './checks.mts';
import { Client } from './client.mts';
import { openUndoLog } from './fileUndoLog.mts';
import { holdAccount } from './holdAccount.mts';
import type { Questions } from './questions.mts';
import type { Run, Target } from './run.mts';
import { CannotCheck, NotRequested, Stop } from './stop.mts';
import type { Time } from './time.mts';
import { UndoFile, undoFolder } from './undoFile.mts';

const NOT_RESTORED =
	'Not everything that was changed could be restored. See above, and start this command again.';

const REAL_TIME: Time = { now: () => currentTime().getTime(), wait };

/** A finding with the assumption that it belongs to. */
export type KeyFinding = Finding & { key: string; level: Level };

export interface Result {
	readonly findings: readonly KeyFinding[];
	/** How many requests were sent. */
	requests: number;
	/** Why the run ended early. */
	stopped?: string;
}

export interface Verification {
	target: Target;
	token: string;
	/** Each one is asked for; none includes another one. */
	levels: readonly Level[];
	/** Ends the run. */
	signal: AbortSignal;
	questions: Questions;
	/** Milliseconds between two requests. */
	pause?: number;
	time?: Time;
	/** Where changes are written down until they are restored. */
	folder?: string;
	/** Is told each finding as it comes. */
	onFinding?: (finding: KeyFinding) => void;
}

/**
 * Checks an account. First it restores what an interrupted run has left, and at the end what was
 * changed, whatever happened. What cannot be restored does not keep it from reading.
 *
 * @throws {InvalidInput} while another run checks the same service
 */
export async function verifyAccount(verification: Verification): Promise<Result> {
	const { target, token, levels, signal, questions, pause, time = REAL_TIME } = verification;
	const { folder = undoFolder(), onFinding } = verification;
	const { baseUrl } = target;
	const options = { baseUrl, token, ...(pause !== undefined && { pause }) };
	const client = new Client({ ...options, signal });
	// Ctrl-C does not end it.
	const undoClient = new Client({ ...options, signal: new AbortController().signal });
	const file = new UndoFile(baseUrl, token, folder);
	const checks = CHECKS.filter(({ level }) => levels.includes(level));
	const findings: KeyFinding[] = [];
	const result: Result = { findings, requests: 0 };
	// No report is written of a run that never began.
	const held = await holdAccount(`${file.path}.lock`);
	try {
		const isUnanswered = (): boolean => client.hasUnansweredWrite;
		const undoLog = await openUndoLog({ file, client: undoClient, questions, isUnanswered });
		await undoLog.undoAll();
		const run: Run = { target, client, signal, questions, undoLog, time };
		try {
			for (const check of checks) {
				const finding = keyFinding(check, await findingOf(check, run));
				findings.push(finding);
				onFinding?.(finding);
			}
		} finally {
			if (!(await undoLog.undoAll())) result.stopped = NOT_RESTORED;
			await undoLog.tellWhatRemains();
		}
	} catch (error) {
		if (!(error instanceof Stop)) throw error;
		result.stopped ??= error.message;
	} finally {
		held?.close();
	}
	const notReached = notChecked('', 'The run ended before this check.');
	findings.push(...checks.slice(findings.length).map((check) => keyFinding(check, notReached)));
	result.requests = client.sent.length + undoClient.sent.length;
	return result;
}

const keyFinding = ({ key, level }: Check, finding: Finding): KeyFinding => ({
	key,
	level,
	...finding,
});

async function findingOf(check: Check, run: Run): Promise<Finding> {
	try {
		return await check.run(run);
	} catch (error) {
		if (!(error instanceof CannotCheck)) throw error;
		const failed = !(error instanceof NotRequested);
		return { outcome: 'not checked', expected: '', seen: error.message, failed };
	}
}

/** 0: as assumed, so far as the account shows it; 1: something differs; 2: a check failed, or the run. */
export function exitStatus({ findings, stopped }: Pick<Result, 'findings' | 'stopped'>): 0 | 1 | 2 {
	if (stopped !== undefined) return 2;
	if (findings.some(({ outcome }) => outcome === 'differs')) return 1;
	return findings.some((finding) => finding.outcome === 'not checked' && finding.failed) ? 2 : 0;
}
