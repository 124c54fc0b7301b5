import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { action, httpRequest, start, START, workflow } from '../support/workflows.mts';
import { PER_PAGE } from './listPage.mts';
import { measureRun, warmUp } from './measuredRun.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import type { BenchService } from './serviceClient.mts';

const LIST = 'List';
const FEW = 300;

const LISTS = {
	calls: { resource: 'call', path: '/user/calls' },
	assistants: { resource: 'assistant', path: '/user/assistants/get' },
};
type List = keyof typeof LISTS;

type Lister = 'this node' | 'HTTP Request';

/**
 * The goal for work that reads several pages at the same time, beside HTTP Request's list of the same
 * pages. HTTP Request reads them one after the other.
 */
export const SEVERAL_PAGES_AT_ONCE = { atMost: 0.6 };

/** Measures Return All of the list of calls, and HTTP Request's pagination of the same pages. */
export async function list(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	const { service, credential } = environment;
	const calls = quick ? 1_000 : 10_000;
	if (!quick) {
		const listers: Lister[] = ['this node', 'HTTP Request'];
		const workflows = listers.map((by) => listWorkflow(service, credential, by));
		await warmUp(environment, workflows, { calls: FEW });
	}
	const subject = await measureList(round, 'this node', calls);
	const beside = await measureList(round, 'HTTP Request', calls);
	results.expect('time', subject, beside, { atMost: 0.25 });
	const simplified = await measureList(round, 'this node', calls, { simplify: true });
	results.expect('time', simplified, subject, { atMost: 1.25 });
	results.expect('output', simplified, subject, { atMost: 0.9 });
}

interface ListOptions {
	/** the list of calls unless given */
	of?: List;
	/** added to the name of the work, when a round measures the same more than once */
	occasion?: string;
	/** whether this node outputs simplified records, and not whole ones as HTTP Request does */
	simplify?: boolean;
}

/** Measures how a node reads all pages of a list. @param total how many records the list has */
export async function measureList(
	{ environment, results, check }: Round,
	by: Lister,
	total: number,
	{ of = 'calls', occasion = '', simplify = false }: ListOptions = {},
): Promise<Subject> {
	const { service, credential } = environment;
	const detail = `${simplify ? ', simplified' : ''}${occasion}`;
	const subject = { work: `Return All of ${total.toLocaleString('en')} ${of}${detail}`, by };
	const title = `${subject.work}, by ${by}`;
	await check(`${title}: each is output once, in order, with one request per page`, async () => {
		const listing = listWorkflow(service, credential, by, of, simplify);
		const measured = await measureRun(environment, title, listing, LIST, { [of]: total });
		const { execution, counts, metrics } = measured;
		assert.equal(execution.status, 'success', execution.error);
		const items = itemsOf(execution, LIST);
		// HTTP Request outputs a page as one item.
		const records = by === 'this node' ? items : items.flatMap(({ data }) => data as unknown[]);
		assert.deepEqual(
			records.map((record) => (record as { id: unknown }).id),
			// Calls come newest first.
			Array.from({ length: total }, (_, index) => (of === 'calls' ? total - index : index + 1)),
		);
		assert.equal(counts.requests, total / PER_PAGE);
		results.record(subject, { ...metrics, output: JSON.stringify(items).length / 1e6 });
	});
	return subject;
}

function listWorkflow(
	{ url }: BenchService,
	credential: CredentialRef,
	by: Lister,
	of: List = 'calls',
	simplify = false,
): Workflow {
	const { resource, path } = LISTS[of];
	const lister =
		by === 'this node'
			? action(LIST, { resource, operation: 'getAll', returnAll: true, simplify }, credential)
			: httpRequest(
					LIST,
					{
						url: url + path,
						sendQuery: true,
						queryParameters: { parameters: [{ name: 'per_page', value: String(PER_PAGE) }] },
						options: {
							pagination: {
								pagination: {
									paginationMode: 'updateAParameterInEachRequest',
									parameters: {
										parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
									},
									paginationCompleteWhen: 'other',
									completeExpression:
										'={{ $response.body.current_page >= $response.body.last_page }}',
								},
							},
						},
					},
					credential,
				);
	return workflow('List', [start(), lister], [[START, LIST]]);
}
