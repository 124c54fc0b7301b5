import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { action, httpRequest, start, START, workflow } from '../support/workflows.mts';
import { measureRun, warmUp } from './measuredRun.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import type { BenchService } from './serviceClient.mts';

const LIST = 'List';
const PER_PAGE = 100;
const FEW = 300;

type Lister = 'this node' | 'HTTP Request';

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
}

/**
 * Measures how a node reads all pages of a list with some calls.
 *
 * @param occasion added to the name of the work, when a round measures the same more than once
 */
export async function measureList(
	{ environment, results, check }: Round,
	by: Lister,
	calls: number,
	occasion = '',
): Promise<Subject> {
	const { service, credential } = environment;
	const subject = { work: `Return All of ${calls.toLocaleString('en')} calls${occasion}`, by };
	const title = `${subject.work}, by ${by}`;
	await check(`${title}: each is output once, in order, with one request per page`, async () => {
		const listing = listWorkflow(service, credential, by);
		const measured = await measureRun(environment, title, listing, LIST, { calls });
		const { execution, counts, metrics } = measured;
		assert.equal(execution.status, 'success', execution.error);
		const items = itemsOf(execution, LIST);
		// HTTP Request outputs a page as one item.
		const records = by === 'this node' ? items : items.flatMap(({ data }) => data as unknown[]);
		assert.deepEqual(
			records.map((record) => (record as { id: unknown }).id),
			Array.from({ length: calls }, (_, index) => calls - index),
		);
		assert.equal(counts.requests, calls / PER_PAGE);
		results.record(subject, metrics);
	});
	return subject;
}

function listWorkflow({ url }: BenchService, credential: CredentialRef, by: Lister): Workflow {
	const lister =
		by === 'this node'
			? action(
					LIST,
					// HTTP Request outputs whole records, so this node does too.
					{ resource: 'call', operation: 'getAll', returnAll: true, simplify: false },
					credential,
				)
			: httpRequest(
					LIST,
					{
						url: `${url}/user/calls`,
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
	return workflow('Calls', [start(), lister], [[START, LIST]]);
}
