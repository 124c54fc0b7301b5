import { notChecked, type Check, type Finding, type Level } from './check.mts';
import { CHECKS } from './checks.mts';
import { Client, type ClientOptions } from './client.mts';
import type { Run } from './run.mts';
import { CannotCheck, Stop } from './stop.mts';

/** A finding with the assumption that it belongs to. */
export type KeyFinding = Finding & { key: string; level: Level };

export interface Result {
	readonly findings: readonly KeyFinding[];
	/** How many requests were sent. */
	requests: number;
	/** Why the run ended early. */
	stopped?: string;
}

export interface Verification extends ClientOptions {
	/** Each one is asked for; none includes another one. */
	levels: readonly Level[];
	/** Is told each finding as it comes. */
	onFinding?: (finding: KeyFinding) => void;
}

/** Checks an account. */
export async function verifyAccount({
	levels,
	onFinding,
	...options
}: Verification): Promise<Result> {
	const client = new Client(options);
	const run: Run = { baseUrl: options.baseUrl, client };
	const checks = CHECKS.filter(({ level }) => levels.includes(level));
	const findings: KeyFinding[] = [];
	const result: Result = { findings, requests: 0 };
	try {
		for (const check of checks) {
			const finding = keyFinding(check, await findingOf(check, run));
			findings.push(finding);
			onFinding?.(finding);
		}
	} catch (error) {
		if (!(error instanceof Stop)) throw error;
		result.stopped = error.message;
	}
	const notReached = notChecked('', 'The run ended before this check.');
	findings.push(...checks.slice(findings.length).map((check) => keyFinding(check, notReached)));
	result.requests = client.requestCount;
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
		return { outcome: 'not checked', expected: '', seen: error.message, failed: true };
	}
}

/** 0: as assumed, so far as the account shows it; 1: something differs; 2: a check failed, or the run. */
export function exitStatus({ findings, stopped }: Pick<Result, 'findings' | 'stopped'>): 0 | 1 | 2 {
	if (stopped !== undefined) return 2;
	if (findings.some(({ outcome }) => outcome === 'differs')) return 1;
	return findings.some((finding) => finding.outcome === 'not checked' && finding.failed) ? 2 : 0;
}
