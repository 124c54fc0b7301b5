import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import { action, httpGet, start, START, workflow } from '../support/workflows.mts';
import { measureList } from './callLists.mts';
import { measureRun } from './measuredRun.mts';
import { mixedIds } from './mixedIds.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import type { ServiceSettings } from './serviceClient.mts';

const SOURCE = 'IDs';
const GET = 'Get';
const PER_PAGE = 100;
/** The most pages that the node reads for one call. */
const CALL_PAGES = 20;

/** Measures *Assistant → Get* and *Call → Get* of many items, beside HTTP Request, which reads a list. */
export async function records(round: Round): Promise<void> {
	const { results, quick } = round;
	const items = quick ? 500 : 10_000;
	const assistants = await getByIds(round, {
		resource: 'assistant',
		idField: 'assistantId',
		items,
		lowest: 1,
		highest: items,
		settings: { assistants: items },
	});
	const total = quick ? 3_000 : 10_000;
	const calls = await getByIds(round, {
		resource: 'call',
		idField: 'callId',
		items,
		lowest: total - CALL_PAGES * PER_PAGE + 1,
		highest: total,
		settings: { calls: total },
	});
	if (quick) return;
	const listed = await measureList(round, 'HTTP Request', items, {
		of: 'assistants',
		occasion: ', beside records',
	});
	for (const subject of [assistants, calls]) {
		results.expect('silence', subject, listed, { atMost: 0.2 }, 'difference');
	}
}

/** Looks for records by their ID, among those of the first pages of a list. */
interface Lookup {
	resource: 'assistant' | 'call';
	idField: string;
	items: number;
	/** the ids that the items have */
	lowest: number;
	highest: number;
	settings: Partial<ServiceSettings>;
}

async function getByIds(round: Round, lookup: Lookup): Promise<Subject> {
	const { environment, results, check } = round;
	const { service, credential } = environment;
	const { resource, idField, items, lowest, highest, settings } = lookup;
	const records = highest - lowest + 1;
	const subject = {
		work: `Get ${items.toLocaleString('en')} times one of ${records.toLocaleString('en')} ${resource}s`,
		by: 'this node',
	};
	await check(`${subject.work}: each item has its record, each page is read once`, async () => {
		const id = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const nodes = [
			start(),
			httpGet(SOURCE, service.idsUrl(items, lowest, highest)),
			action(GET, { resource, operation: 'get', [idField]: id }, credential),
		];
		const measured = await measureRun(
			environment,
			subject.work,
			workflow(subject.work, nodes, [
				[START, SOURCE],
				[SOURCE, GET],
			]),
			GET,
			settings,
		);
		const { execution, counts, metrics } = measured;
		assert.equal(execution.status, 'success', execution.error);
		assert.deepEqual(
			itemsOf(execution, GET).map((record) => record.id),
			mixedIds(items, lowest, highest),
		);
		assert.equal(counts.requests, records / PER_PAGE);
		results.record(subject, metrics);
	});
	return subject;
}
