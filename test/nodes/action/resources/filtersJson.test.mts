import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { callsOfThePast, startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent } = await startTestEnvironment({ calls: callsOfThePast(120) });

const list = (fields: INodeParameters): INodeParameters => ({
	resource: 'call',
	operation: 'getAll',
	returnAll: false,
	limit: 1,
	...fields,
});

const LABEL = 'Filters (JSON)';

/** The filters that arrived, without page and page size. */
async function filtersSent() {
	return (await sent()).map(({ query }): Record<string, unknown> => {
		const filters = Object.entries(query ?? {}).filter(([name]) => !/^(per_)?page$/.test(name));
		return Object.fromEntries(filters);
	});
}

describe('Filters (JSON)', () => {
	it('may hold what an expression computes', async () => {
		const { error } = await n8n.runNode({
			parameters: list({
				filtersJson: '={{ { "status": $json.status, "date_from": $json.day.toDateTime() } }}',
			}),
			items: [{ status: 'completed', day: '2026-02-10' }],
		});
		expect(error).toBeUndefined();
		expect(await filtersSent()).toEqual([{ status: 'completed', date_from: '2026-02-10' }]);
	});

	it('may hold the present day', async () => {
		const { timezone } = n8n.workflow({ nodes: [], connections: {} });
		const today = () => DateTime.now().setZone(timezone).toISODate();
		const before = today();
		const { error } = await n8n.runNode({
			parameters: list({ filtersJson: '={{ {"status":"completed","date_from": $today} }}' }),
		});
		expect(error).toBeUndefined();
		const [filters] = await filtersSent();
		expect(filters?.status).toBe('completed');
		expect([before, today()]).toContain(filters?.date_from);
	});

	it('may be text, with every filter that there is', async () => {
		const filters = {
			assistant_id: 1,
			campaign_id: '1',
			status: 'completed',
			type: 'outbound',
			phone_number: '+4915112345611',
			date_from: '2026-02-01T10:00:00',
			date_to: '2026-02-28',
		};
		const { error, output } = await n8n.runNode({
			parameters: list({ filtersJson: JSON.stringify(filters) }),
		});
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(1);
		expect(await filtersSent()).toEqual([
			{ ...filters, assistant_id: '1', date_from: '2026-02-01' },
		]);
	});

	it('is added to the filters that are entered one by one, on every page', async () => {
		const { error, output } = await n8n.runNode({
			parameters: list({
				returnAll: true,
				filters: { status: 'completed' },
				filtersJson: '{"type": "outbound"}',
			}),
		});
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(120);
		const both = { status: 'completed', type: 'outbound' };
		expect(await filtersSent()).toEqual([both, both]);
	});

	it.each(['{}', '={{ {} }}'])('of %j is no filter', async (filtersJson) => {
		expect((await n8n.runNode({ parameters: list({ filtersJson }) })).error).toBeUndefined();
		expect(await filtersSent()).toEqual([{}]);
	});

	it.each(['', '={{ undefined }}'])('of %j is refused, as any filter is', async (filtersJson) => {
		const { error } = await n8n.runNode({ parameters: list({ filtersJson }) });
		expect(error?.message).toBe(`'${LABEL}' is empty`);
		expect(await sent()).toEqual([]);
	});

	it('with an unknown name is refused by that name, and nothing is sent', async () => {
		const { error } = await n8n.runNode({
			parameters: list({ filtersJson: '{"status": "completed", "dateFrom": "2026-01-31"}' }),
		});
		expect(error).toMatchObject({
			message: `'${LABEL} → dateFrom' is not a filter`,
			description:
				'Use one of these: assistant_id, campaign_id, date_from, phone_number, status, date_to, type. Nothing was sent for this item.',
		});
		expect(await sent()).toEqual([]);
	});

	it.each(['__proto__', 'constructor', 'prototype'])('refuses the name %s', async (name) => {
		const { error } = await n8n.runNode({
			parameters: list({ filtersJson: `{"${name}": 1}` }),
		});
		expect(error?.message).toBe(`'${LABEL} → ${name}' is not a filter`);
		expect(await sent()).toEqual([]);
	});

	it.each([
		['{"status": "done"}', 'status', /^must be one of: busy, completed, /],
		['{"type": 7}', 'type', /^must be one of: inbound, outbound, web$/],
		['{"campaign_id": "1e3"}', 'campaign_id', /^must be an ID: /],
		['{"campaign_id": 9007199254740993}', 'campaign_id', /^must be an ID: /],
		['{"phone_number": -4155552671}', 'phone_number', /^must be a phone number: /],
		['{"date_from": "2026-01-31 - 2026-02-15"}', 'date_from', /^must be a date, /],
		['{"assistant_id": 0}', 'assistant_id', /^must be an ID: /],
		['{"date_to": "tomorrow"}', 'date_to', /^must be a date, /],
		['{"phone_number": ["+49"]}', 'phone_number', /^must be text, /],
		['{"status": ""}', 'status', /^is empty$/],
		['{"date_from": null}', 'date_from', /^is empty$/],
	])('%s is refused by name, and nothing is sent', async (filtersJson, name, what) => {
		const { error } = await n8n.runNode({ parameters: list({ filtersJson }) });
		const label = `'${LABEL} → ${name}' `;
		expect(error?.message.slice(0, label.length)).toBe(label);
		expect(error?.message.slice(label.length)).toMatch(what);
		expect(await sent()).toEqual([]);
	});
});
