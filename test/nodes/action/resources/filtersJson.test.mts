import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { callsOfThePast, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent } = await startTestEnvironment({ calls: callsOfThePast(120) });

/** Reads one call with filters. @returns the error */
async function getError(fields: INodeParameters, item: IDataObject = {}) {
	const parameters = { resource: 'call', operation: 'getAll', returnAll: false, limit: 1 };
	const { error } = await n8n.runNode({ parameters: { ...parameters, ...fields }, items: [item] });
	return error;
}

const LABEL = 'Filters (JSON)';

/** The filters that arrived, without page and page size. */
async function filtersSent() {
	const lists = (await sent()).filter(({ path }) => path.endsWith('/calls'));
	return lists.map(({ query }): Record<string, unknown> => {
		const filters = Object.entries(query ?? {}).filter(([name]) => !/^(per_)?page$/.test(name));
		return Object.fromEntries(filters);
	});
}

const EVERY_FILTER = {
	campaign_id: '1',
	status: 'completed',
	type: 'outbound',
	phone_number: '+4915112345611',
	date_to: '2026-02-28',
};

describe('Filters (JSON)', () => {
	it.each<[string, string, IDataObject, IDataObject?]>([
		[
			'what an expression computes',
			'={{ { "status": $json.status, "date_from": $json.day.toDateTime() } }}',
			{ status: 'completed', date_from: '2026-02-10' },
			{ status: 'completed', day: '2026-02-10' },
		],
		[
			'every filter that there is, as text',
			JSON.stringify({ ...EVERY_FILTER, assistant_id: 1, date_from: '2026-02-01T10:00:00' }),
			{ ...EVERY_FILTER, assistant_id: '1', date_from: '2026-02-01' },
		],
		['nothing', '{}', {}],
		['nothing by an expression', '={{ {} }}', {}],
	])('may hold %s', async (_what, filtersJson, filters, item = {}) => {
		expect(await getError({ options: { filtersJson } }, item)).toBeUndefined();
		expect(await filtersSent()).toEqual([filters]);
	});

	it('is added to the filters that are entered one by one, on every page', async () => {
		const filters = { status: 'completed' };
		const filtersJson = '{"type": "outbound"}';
		expect(await getError({ returnAll: true, filters, options: { filtersJson } })).toBeUndefined();
		const both = { status: 'completed', type: 'outbound' };
		expect(await filtersSent()).toEqual([both, both]);
	});

	it('with an unknown name says which names there are', async () => {
		const filtersJson = '{"status": "completed", "dateFrom": 1}';
		expect(await getError({ options: { filtersJson } })).toMatchObject({
			message: `'${LABEL} → dateFrom' is not a filter`,
			description:
				'Use one of these: assistant_id, campaign_id, date_from, phone_number, status, date_to, type. Nothing was sent for this item.',
		});
		expect(await sent()).toEqual([]);
	});

	it.each([
		['', '', /^is empty$/],
		['={{ undefined }}', '', /^is empty$/],
		...['__proto__', 'constructor', 'prototype'].map((name): [string, string, RegExp] => [
			`{"${name}": 1}`,
			` → ${name}`,
			/^is not a filter$/,
		]),
		['{"status": "done"}', ' → status', /^must be one of: busy, completed, /],
		['{"type": 7}', ' → type', /^must be one of: inbound, outbound, web$/],
		['{"campaign_id": "1e3"}', ' → campaign_id', /^must be an ID: /],
		['{"campaign_id": 9007199254740993}', ' → campaign_id', /^must be an ID: /],
		['{"phone_number": -4155552671}', ' → phone_number', /^must be a phone number: /],
		['{"date_from": "2026-01-31 - 2026-02-15"}', ' → date_from', /^must be a date, /],
		['{"assistant_id": 0}', ' → assistant_id', /^must be an ID: /],
		['{"date_to": "tomorrow"}', ' → date_to', /^must be a date, /],
		['{"phone_number": ["+49"]}', ' → phone_number', /^must be text, /],
		['{"status": ""}', ' → status', /^is empty$/],
		['{"date_from": null}', ' → date_from', /^is empty$/],
	])('%j is refused by name, and nothing is sent', async (filtersJson, name, what) => {
		const error = await getError({ options: { filtersJson } });
		const label = `'${LABEL}${name}' `;
		expect(error?.message.slice(0, label.length)).toBe(label);
		expect(error?.message.slice(label.length)).toMatch(what);
		expect(await sent()).toEqual([]);
	});
});
