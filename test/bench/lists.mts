import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { action, httpRequest } from '../support/workflows.mts';
import { PER_PAGE } from './largeAccount.mts';
import { MEASURED, measureNode, runNode, type NodeWork } from './measureNode.mts';
import { atMostTimes, type Subject } from './results.mts';
import type { BenchEnvironment, Round } from './round.mts';

const NODES = ['this node', 'HTTP Request'] as const;
type By = (typeof NODES)[number];

const LISTS = {
	calls: { resource: 'call', path: '/user/calls' },
	assistants: { resource: 'assistant', path: '/user/assistants/get' },
};
type List = keyof typeof LISTS;

/** Measures Return All of the list of calls, and HTTP Request's pagination of the same pages. */
export async function list(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	for (const by of quick ? [] : NODES) {
		await runNode(environment, listWork(environment, by, 'calls', 300));
	}
	const calls = quick ? 1_000 : 10_000;
	const subject = await measureList(round, 'this node', 'calls', calls);
	const beside = await measureList(round, 'HTTP Request', 'calls', calls);
	results.expect('time', subject, atMostTimes(0.25), beside);
}

/** Measures how a node reads all pages of a list. @param total how many records the list has */
export async function measureList(
	round: Round,
	by: By,
	listed: List,
	total: number,
): Promise<Subject> {
	const work = listWork(round.environment, by, listed, total);
	const claim = 'each is output once, in order, with one request per page';
	return await measureNode(round, work, claim, ({ execution, counts }) => {
		assert.equal(execution.status, 'success', execution.error);
		const items = getItems(execution, MEASURED);
		// HTTP Request outputs a page as one item.
		const records = by === 'this node' ? items : items.flatMap(({ data }) => data as unknown[]);
		assert.deepEqual(
			records.map((record) => (record as { id: unknown }).id),
			// Calls come newest first.
			Array.from({ length: total }, (_, index) => (listed === 'calls' ? total - index : index + 1)),
		);
		assert.equal(counts.requests, total / PER_PAGE);
	});
}

function listWork(
	{ service, credential }: BenchEnvironment,
	by: By,
	listed: List,
	total: number,
): NodeWork {
	const { resource, path } = LISTS[listed];
	const returnAll = { resource, operation: 'getAll', returnAll: true, simplify: false };
	const page = { type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [page] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.current_page >= $response.body.last_page }}',
	};
	const allPages = {
		url: service.url + path,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'per_page', value: String(PER_PAGE) }] },
		options: { pagination: { pagination } },
	};
	const node =
		by === 'this node'
			? action(MEASURED, returnAll, credential)
			: httpRequest(MEASURED, allPages, credential);
	return {
		work: `Return All of ${counted(total)} ${listed}`,
		by,
		node,
		settings: { [listed]: total },
	};
}

export const counted = (count: number): string => count.toLocaleString('en');
