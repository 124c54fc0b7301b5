import { type Check, type Finding, type Level } from './check.mts';
import type { Run } from './run.mts';
import { CannotCheck, Stop } from './stop.mts';

/** A finding with the assumption that it belongs to. */
export type KeyFinding = Finding & { key: string; level: Level };

export interface Result {
	findings: KeyFinding[];
	/** Why the run ended early. */
	stopped?: string;
}

/**
 * Runs checks one after the other. What was changed is restored at the end, whatever happened.
 *
 * @param onFinding is told each finding as it comes
 */
export async function verify(
	run: Run,
	checks: readonly Check[],
	onFinding: (finding: KeyFinding) => void = () => undefined,
): Promise<Result> {
	const findings: KeyFinding[] = [];
	try {
		for (const check of checks) {
			if (run.signal.aborted) throw new Stop('The verification was interrupted.');
			const finding = { key: check.key, level: check.level, ...(await result(check, run)) };
			findings.push(finding);
			onFinding(finding);
		}
		return { findings };
	} catch (error) {
		if (!(error instanceof Stop)) throw error;
		return { findings, stopped: error.message };
	} finally {
		await run.undoLog.undoAll();
	}
}

async function result(check: Check, run: Run): Promise<Finding> {
	try {
		return await check.run(run);
	} catch (error) {
		if (!(error instanceof CannotCheck)) throw error;
		return { outcome: 'not checked', expected: '', seen: error.message, failed: true };
	}
}

/** 0: as assumed, 1: something differs, 2: something could not be checked. */
export function exitStatus({ findings, stopped }: Result): 0 | 1 | 2 {
	if (stopped !== undefined) return 2;
	if (findings.some(({ outcome }) => outcome === 'differs')) return 1;
	return findings.some((finding) => finding.outcome === 'not checked' && finding.failed) ? 2 : 0;
}
