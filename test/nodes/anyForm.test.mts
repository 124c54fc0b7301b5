import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { sendRequest } from '../../sandbox/test/support/client.mts';
import { forAny } from '../support/forAny.mts';
import { stubServersPerTest } from '../support/n8n/stubServer.mts';
import { n8nAt } from '../support/n8n/stubService.mts';
import { EmulatedLifecycle } from '../support/trigger/emulatedLifecycle.mts';
import { EmulatedPollNode } from '../support/trigger/emulatedPollNode.mts';
import { startTriggerEnvironment } from '../support/trigger/testEnvironment.mts';
import { onAssistant, TriggerNode } from '../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../support/trigger/webhookServer.mts';

/** A call in any form, word and wrapping gives the item of the plain one (docs/decisions/0024). */
const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();
const startServer = stubServersPerTest();

const RUNS = { numRuns: 60 };

const minutesAgo = (minutes: number) =>
	new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

const CALL: IDataObject = {
	id: 7001,
	assistant_name: 'Reception',
	type: 'outbound',
	duration: 42,
	assistant_phone_number: '+14155550100',
	client_phone_number: '+14155550123',
	status: 'ended_by_customer',
	transcript: 'Assistant: Hello.\nCustomer: Hi.',
	variables: {},
	evaluation: { score: 3 },
	webhook_response: {},
	carrier_cost: 0.25,
	total_cost: 0.5,
	answered_by: 'human',
	recording_url: 'https://example.com/7001.mp3',
	created_at: minutesAgo(5),
	updated_at: minutesAgo(2),
};

const TIMES = ['created_at', 'updated_at'];
const NUMBERS = ['duration', 'carrier_cost', 'total_cost'];
const MAPS = ['variables', 'webhook_response'];

const isoTime = (time: string) => `${time.replace(' ', 'T')}Z`;

/** How a service writes the fields of a call. */
interface Writing {
	hasTextIds: boolean;
	hasTextNumbers: boolean;
	times: 'plain' | 'iso' | 'rails' | 'mail' | 'unix';
	maps: 'objects' | 'arrays' | 'nulls' | 'texts';
	status: string;
	hasLabels: boolean;
	hasTurns: boolean;
}

const writings: fc.Arbitrary<Writing> = fc.record({
	hasTextIds: fc.boolean(),
	hasTextNumbers: fc.boolean(),
	times: fc.constantFrom('plain', 'iso', 'rails', 'mail', 'unix'),
	maps: fc.constantFrom('objects', 'arrays', 'nulls', 'texts'),
	status: fc.constantFrom('ended_by_customer', 'Ended By Customer', 'ENDED-BY-CUSTOMER'),
	hasLabels: fc.boolean(),
	hasTurns: fc.boolean(),
});

const TURNS = [
	{ role: 'assistant', content: 'Hello.' },
	{ role: 'customer', content: 'Hi.' },
];

const TIME_FORMS = {
	iso: (time: string) => time,
	rails: (time: string) => time.replace('T', ' ').replace('Z', ' UTC'),
	mail: (time: string) => new Date(time).toUTCString(),
	unix: (time: string) => Date.parse(time) / 1_000,
};

const MAP_FORMS = { arrays: [], nulls: null, texts: '{}' };

const labelled = (value: unknown, { hasLabels }: Writing) =>
	hasLabels ? { value, label: String(value).toUpperCase() } : value;

function written(writing: Writing): IDataObject {
	const fields = Object.entries(CALL).map(([name, value]): [string, unknown] => {
		const isText =
			name === 'id' ? writing.hasTextIds : writing.hasTextNumbers && NUMBERS.includes(name);
		if (isText) return [name, JSON.stringify(value)];
		if (TIMES.includes(name) && typeof value === 'string' && writing.times !== 'plain') {
			return [name, TIME_FORMS[writing.times](isoTime(value))];
		}
		if (MAPS.includes(name) && writing.maps !== 'objects') {
			return [name, MAP_FORMS[writing.maps]];
		}
		if (name === 'status') return [name, labelled(writing.status, writing)];
		if (name === 'answered_by') return [name, labelled(value, writing)];
		if (name === 'recording_url' && writing.hasLabels) return [name, [{ url: value }]];
		return name === 'transcript' && writing.hasTurns ? [name, TURNS] : [name, value];
	});
	return Object.fromEntries(fields) as IDataObject;
}

/** The item of the plain call, with what a workflow may see of the writing: the provider's word, and the turns. */
const expected = (plain: IDataObject | undefined, { status, hasTurns }: Writing) => ({
	...plain,
	...(plain && 'status' in plain && { status }),
	...(hasTurns && { transcript_entries: TURNS }),
});

/** A step further out: a field or a list that has the call, or a text of it. */
const STEPS: Record<string, (body: unknown) => unknown> = {
	data: (data) => ({ data }),
	call: (call) => ({ call }),
	payload: (payload) => ({ payload }),
	json: (json) => ({ json }),
	list: (body) => [body],
	'list as an object': (body) => ({ '0': body }),
	text: (body) => JSON.stringify(body),
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** How a delivery reaches n8n. */
const SENDINGS: Record<string, (text: string) => RequestInit> = {
	'application/json': (body) => ({ body, headers: { 'content-type': 'application/json' } }),
	'text/plain': (body) => ({ body, headers: { 'content-type': 'text/plain' } }),
	'another type': (body) => ({ body, headers: { 'content-type': 'application/vnd.api+json' } }),
	// Without a type, fetch would name that of a text.
	'no type, and a byte order mark': (body) => ({ body: new Blob([`\uFEFF${body}`]) }),
	'a form': (payload) => ({ body: new URLSearchParams({ payload }) }),
	'another field of a form': (call) => ({ body: new URLSearchParams({ call }) }),
	'the name of a field': (body) => ({ body: encodeURIComponent(body), headers: FORM }),
	'JSON as a form': (body) => ({ body, headers: FORM }),
};

describe('a call in any form gives the item of the plain one', () => {
	it('through the Trigger', async () => {
		const instance = environment.instance({ webhookUrl: webhookServer.url });
		const node = new TriggerNode(instance, {
			parameters: onAssistant(1, 'callCompleted', { options: { repeatedDeliveries: true } }),
		});
		await webhookServer.serve(new EmulatedLifecycle(node)).publish();
		const { url } = await environment.registration();
		const receive = async (init: RequestInit) => {
			webhookServer.executions = [];
			await sendRequest(url ?? '', { method: 'POST', ...init });
			return webhookServer.items;
		};
		const [plain] = await receive(SENDINGS['application/json']?.(JSON.stringify(CALL)) ?? {});
		expect(plain).toMatchObject({ id: 7001, outcome: 'answered' });
		const wrappings = fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 3 });
		const ways = fc.constantFrom(...Object.keys(SENDINGS));
		await forAny(
			fc.tuple(writings, wrappings, ways),
			async ([writing, wrapping, way]) => {
				const body = wrapping.reduce<unknown>(
					(inner, name) => STEPS[name]?.(inner),
					written(writing),
				);
				const items = await receive(SENDINGS[way]?.(JSON.stringify(body)) ?? {});
				expect(items).toEqual([expected(plain, writing)]);
			},
			RUNS,
		);
	});

	/** The page of a list that has these records. */
	const PAGES: Record<string, (rows: IDataObject[]) => unknown> = {
		plain: (data) => ({ data, total: data.length, current_page: 1, last_page: 1 }),
		meta: (data) => ({ data, meta: { total: data.length, current_page: 1, last_page: 1 } }),
		keyed: (data) => ({ data: Object.fromEntries(data.entries()), total: data.length }),
		twice: (data) => ({ data: { data, total: String(data.length) } }),
		bare: (data) => data,
	};
	const lists = fc.tuple(writings, fc.constantFrom(...Object.keys(PAGES)));

	it('through Get Many', async () => {
		let page: unknown;
		const server = await startServer(() => ({ body: page }));
		const n8n = n8nAt(server);
		const read = async (body: unknown) => {
			page = body;
			const parameters = { resource: 'call', operation: 'getAll', returnAll: true };
			const { output, error } = await n8n.runNode({ parameters });
			expect(error).toBeUndefined();
			return output[0].map(({ json }) => json);
		};
		const [plain] = await read(PAGES.plain?.([CALL]));
		await forAny(
			lists,
			async ([writing, form]) => {
				const items = await read(PAGES[form]?.([written(writing)]));
				expect(items).toEqual([expected(plain, writing)]);
			},
			RUNS,
		);
	});

	it('through the Poll Trigger', async () => {
		let page: unknown;
		const server = await startServer(() => ({ body: page }));
		const n8n = n8nAt(server);
		const poll = async (form: string, call: IDataObject) => {
			page = PAGES[form]?.([]);
			const node = new EmulatedPollNode(n8n);
			await node.publish();
			page = PAGES[form]?.([call]);
			await node.poll();
			return node.executions.flat();
		};
		const [plain] = await poll('plain', CALL);
		expect(plain).toMatchObject({ id: 7001, event: 'callCompleted' });
		await forAny(
			lists,
			async ([writing, form]) => {
				expect(await poll(form, written(writing))).toEqual([expected(plain, writing)]);
			},
			RUNS,
		);
	});
});
