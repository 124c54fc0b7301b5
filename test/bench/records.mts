import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import { action, httpGet, start, START, workflow } from '../support/workflows.mts';
import { measureList, SEVERAL_PAGES_AT_ONCE } from './callLists.mts';
import { CALL_PAGES } from './callPage.mts';
import { DEFAULT_CONCURRENT } from './leads.mts';
import { PER_PAGE } from './listPage.mts';
import { measureRun } from './measuredRun.mts';
import { mixedIds } from './mixedIds.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import { LATENCY_MS, type ServiceSettings } from './serviceClient.mts';

const SOURCE = 'IDs';
const GET = 'Get';

/**
 * The goal for an item, in milliseconds: n8n's expression for its ID, and a copy of its record. A record
 * of an assistant is four times as long as one of a call.
 */
const ITEM_MS = { assistant: 2.5, call: 1.5 };

/**
 * Measures *Assistant → Get* and *Call → Get* of many items. *Get* of the last record takes all pages too,
 * and hardly any time for items. HTTP Request reads the same pages as a list.
 */
export async function records(round: Round): Promise<void> {
	const { results, quick } = round;
	const items = quick ? 500 : 10_000;
	const assistants: Lookup = {
		resource: 'assistant',
		idField: 'assistantId',
		items,
		lowest: 1,
		highest: items,
		pages: items / PER_PAGE,
		settings: { assistants: items },
	};
	const total = quick ? 3_000 : 10_000;
	// Calls come newest first.
	const lastRead = total - CALL_PAGES * PER_PAGE + 1;
	const calls: Lookup = {
		resource: 'call',
		idField: 'callId',
		items,
		lowest: lastRead,
		highest: total,
		pages: CALL_PAGES,
		settings: { calls: total },
	};
	const manyAssistants = await getByIds(round, assistants);
	const manyCalls = await getByIds(round, calls);
	const lastAssistant = await getByIds(round, { ...assistants, items: 1, lowest: items });
	const lastCall = await getByIds(round, { ...calls, items: 1, highest: lastRead });
	if (quick) return;

	const occasion = ', beside records';
	const assistantList = await measureList(round, 'HTTP Request', items, {
		of: 'assistants',
		occasion,
	});
	const callList = await measureList(round, 'HTTP Request', CALL_PAGES * PER_PAGE, { occasion });
	const many = [
		{ subject: manyAssistants, lookup: assistants },
		{ subject: manyCalls, lookup: calls },
	];
	for (const { subject, lookup } of many) {
		const value = (LATENCY_MS * lookup.pages) / DEFAULT_CONCURRENT / 1000;
		const floor = { name: `latency × pages / ${DEFAULT_CONCURRENT}`, value };
		const atMost = (items * ITEM_MS[lookup.resource]) / 1000;
		results.expect('time', subject, floor, { atMost }, 'difference');
		results.expect('silence', subject, assistantList, { atMost: 0.2 }, 'difference');
	}
	results.expect('time', lastAssistant, assistantList, SEVERAL_PAGES_AT_ONCE);
	results.expect('time', lastCall, callList, SEVERAL_PAGES_AT_ONCE);
}

/** Looks for records by their ID, among those of the first pages of a list. */
interface Lookup {
	resource: 'assistant' | 'call';
	idField: string;
	items: number;
	/** the ids that the items have */
	lowest: number;
	highest: number;
	/** the pages that have these records, and all before them */
	pages: number;
	settings: Partial<ServiceSettings>;
}

async function getByIds(round: Round, lookup: Lookup): Promise<Subject> {
	const { environment, results, check } = round;
	const { service, credential } = environment;
	const { resource, idField, items, lowest, highest, pages, settings } = lookup;
	const which = items === 1 ? 'the last' : `${items.toLocaleString('en')} times one`;
	const subject = {
		work: `Get ${which} of ${(pages * PER_PAGE).toLocaleString('en')} ${resource}s`,
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
		assert.equal(counts.requests, pages);
		assert.ok(counts.peakInFlight <= DEFAULT_CONCURRENT);
		results.record(subject, metrics);
	});
	return subject;
}
