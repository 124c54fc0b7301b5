import type { Check, Finding, Level } from './check.mts';
import { CHECKS } from './checks.mts';
import { Client } from './client.mts';
import type { Questions } from './questions.mts';
import type { Run, Target } from './run.mts';
import { CannotCheck, Stop } from './stop.mts';
import { noUndoLog } from './undoLog.mts';

/** A finding with the assumption that it belongs to. */
export type KeyFinding = Finding & { key: string; level: Level };

export interface Result {
	findings: KeyFinding[];
	/** How many requests were sent. */
	requests: number;
	/** Why the run ended early. */
	stopped?: string;
}

interface Verification {
	target: Target;
	token: string;
	/** Each one is asked for; none includes another one. */
	levels: readonly Level[];
	/** Ends the run. */
	signal: AbortSignal;
	questions: Questions;
	/** Milliseconds between two requests. */
	pause?: number;
	/** Is told each finding as it comes. */
	onFinding?: (finding: KeyFinding) => void;
}

/** Checks an account. What was changed is restored at the end, whatever happened. */
export async function verifyAccount(verification: Verification): Promise<Result> {
	const { target, token, levels, signal, questions, pause, onFinding } = verification;
	const client = new Client({
		baseUrl: target.baseUrl,
		token,
		signal,
		...(pause !== undefined && { pause }),
	});
	const run: Run = { target, client, signal, questions, undoLog: noUndoLog };
	const findings: KeyFinding[] = [];
	const end = (stopped?: string): Result => ({
		findings,
		requests: client.sent.length,
		...(stopped !== undefined && { stopped }),
	});
	try {
		for (const check of CHECKS.filter(({ level }) => levels.includes(level))) {
			const finding = { key: check.key, level: check.level, ...(await findingOf(check, run)) };
			findings.push(finding);
			onFinding?.(finding);
		}
		return end();
	} catch (error) {
		if (!(error instanceof Stop)) throw error;
		return end(error.message);
	} finally {
		await run.undoLog.undoAll();
	}
}

async function findingOf(check: Check, run: Run): Promise<Finding> {
	try {
		return await check.run(run);
	} catch (error) {
		if (!(error instanceof CannotCheck)) throw error;
		return { outcome: 'not checked', expected: '', seen: error.message, failed: true };
	}
}

/** 0: as assumed, 1: something differs, 2: something could not be checked. */
export function exitStatus({ findings, stopped }: Pick<Result, 'findings' | 'stopped'>): 0 | 1 | 2 {
	if (stopped !== undefined) return 2;
	if (findings.some(({ outcome }) => outcome === 'differs')) return 1;
	return findings.some((finding) => finding.outcome === 'not checked' && finding.failed) ? 2 : 0;
}
