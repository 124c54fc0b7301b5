import { accountFindings } from './account.mts';
import { checkAddress } from './address.mts';
import { Client, type ClientOptions } from './client.mts';
import { fitFindings } from './contractFit.mts';
import { Stop, type Finding } from './finding.mts';
import { readLists, type ReadList } from './lists.mts';
import { sendRefused } from './refused.mts';

export interface Result {
	readonly findings: readonly Finding[];
	/** How many requests were sent. */
	requests: number;
	/** Why the run ended early. */
	stopped?: string;
}

export interface Verification extends ClientOptions {
	/** Whether requests that have to be refused are sent, too. */
	withRefused: boolean;
	/** Is told each finding as it comes. */
	onFinding?: (finding: Finding) => void;
}

/** Checks an account. */
export async function verifyAccount(options: Verification): Promise<Result> {
	const client = new Client(options);
	const findings: Finding[] = [];
	const result = (): Result => ({ findings, requests: client.requestCount });
	try {
		for await (const finding of check(client, options)) {
			findings.push(finding);
			options.onFinding?.(finding);
		}
		return result();
	} catch (error) {
		if (error instanceof Stop) return { ...result(), stopped: error.message };
		throw error;
	}
}

async function* check(client: Client, { baseUrl, withRefused }: Verification) {
	yield await checkAddress(client, baseUrl);
	const lists: ReadList[] = [];
	for await (const list of readLists(client)) {
		lists.push(list);
		yield list.found;
		yield* fitFindings(list);
	}
	yield* accountFindings(lists);
	const rows = lists.flatMap((list) => list.rows);
	if (withRefused) yield* sendRefused(client, rows);
}

/** 0: nothing keeps the nodes from working; 1: something does; 2: a request failed, or the run did. */
export function exitStatus({ findings, stopped }: Result): 0 | 1 | 2 {
	const has = (wanted: string) => findings.some(({ outcome }) => outcome === wanted);
	if (stopped !== undefined) return 2;
	return has('problem') ? 1 : has('failed') ? 2 : 0;
}
