import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { action, httpRequest } from '../support/workflows.mts';
import { inPairs, type Bench } from './environment.mts';
import { atMostTimes, type Subject } from './results.mts';
import { MEASURED, measureNode } from './runNode.mts';

/** The most records of a page (contract: Limits). */
const PER_PAGE = 100;

/** Return All of the calls, and HTTP Request's pagination of the same pages. */
export async function list(bench: Bench): Promise<void> {
	const { ours, theirs } = await inPairs(
		bench,
		async () => await readCalls(bench, 'this node', 1_000),
		async () => await readCalls(bench, 'HTTP Request', 1_000),
	);
	bench.results.expect('time', ours, atMostTimes(0.4), theirs);
}

async function readCalls(
	bench: Bench,
	by: 'this node' | 'HTTP Request',
	calls: number,
): Promise<Subject> {
	const { service, credential } = bench;
	const returnAll = { resource: 'call', operation: 'getAll', returnAll: true, simplify: false };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.current_page >= $response.body.last_page }}',
	};
	const allPages = {
		url: `${service.url}/user/calls`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'per_page', value: String(PER_PAGE) }] },
		options: { pagination: { pagination } },
	};
	const node =
		by === 'this node'
			? action(MEASURED, returnAll, credential)
			: httpRequest(MEASURED, allPages, credential);
	const work = `Return All of ${calls.toLocaleString('en')} calls`;
	const claim = 'each is output once, in order, with one request per page';
	return await measureNode(bench, { work, by, node, calls }, claim, (execution, counts) => {
		assert.equal(execution.status, 'success', execution.error);
		const items = getItems(execution, MEASURED);
		// HTTP Request outputs a page as one item.
		const records = by === 'this node' ? items : items.flatMap(({ data }) => data as unknown[]);
		assert.deepEqual(
			records.map((record) => (record as { id: unknown }).id),
			Array.from({ length: calls }, (_, index) => calls - index),
		);
		assert.equal(counts.requests, calls / PER_PAGE);
	});
}
