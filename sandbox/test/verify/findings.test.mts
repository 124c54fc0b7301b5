import { describe, expect, it } from '@jest/globals';

import { exitStatus, type Result } from '../../src/verify/verify.mts';
import { told, verifyWith, type Other } from './support/measure.mts';

const ASSISTANTS = '/user/assistants/get';
const READ = { withRefused: false };

/** Each record of a page has these fields. */
const withFields =
	(fields: object): Other =>
	(page) => ({ ...page, data: page.data.map((record) => ({ ...record, ...fields })) });

/** 404 comes from the proxy: the service may have such lists. */
const ONLY_THE_CONTRACT = Object.fromEntries(
	[
		'campaigns',
		'tools',
		'leads',
		'all',
		'voices',
		'languages',
		'models',
		'phone-numbers',
		'me',
	].map((end) => [`/${end}`, 404]),
);

const wordsOf = ({ findings }: Result, wanted: string): string =>
	findings.flatMap(({ topic, text }) => (topic === wanted ? text : [])).join('\n');

it('at a service as in the contract, everything is found so', async () => {
	const result = await verifyWith(ONLY_THE_CONTRACT);
	for (const topic of ['Address', 'Generation', 'Tools of assistants', 'Only completed calls']) {
		expect([topic, told(result, topic)]).toEqual([topic, [['ok', []]]]);
	}
	for (const topic of ['Calls', 'Assistants']) {
		expect(told(result, topic)).toEqual([
			['ok', []],
			['ok', []],
		]);
	}
	expect(told(result, 'Names of fields')).toEqual([['ok', []]]);
	expect(told(result, 'Refusals')).toEqual([['ok', []]]);
	expect(wordsOf(result, 'Campaigns')).toBe(
		"GET /user/campaigns does not exist (404). Choose campaigns with 'By ID'.",
	);
	expect(exitStatus(result)).toBe(0);
});

describe('lists', () => {
	it.each<[string, string, Other, string, number]>([
		['bare', 'Campaigns', () => [{ id: 1 }], 'ok', 0],
		['under its name', 'Campaigns', () => ({ campaigns: [] }), 'ok', 0],
		['a record that is no list', 'Campaigns', () => ({ id: 1 }), 'note', 0],
		['that does not exist', 'Campaigns', 405, 'note', 0],
		['that fails', 'Campaigns', 503, 'failed', 2],
		['that is limited for ever', 'Campaigns', 429, 'failed', 2],
		['that the nodes need', 'Assistants', 404, 'problem', 1],
		['without a list', 'Assistants', () => ({ items: [] }), 'problem', 1],
		['that is one record by its nature', 'Account', () => ({ name: 'Ada' }), 'ok', 0],
	])('%s', async (_, topic, other, outcome, status) => {
		const path = { Campaigns: '/user/campaigns', Assistants: ASSISTANTS, Account: '/user/me' }[
			topic
		];
		const result = await verifyWith({ [path ?? '']: other }, READ);
		expect(told(result, topic)).toEqual([[outcome, []]]);
		expect(exitStatus(result)).toBe(status);
	});
});

describe('the records of a list', () => {
	const DOCUMENTED = {
		transcript: [{ text: 'Hello!', type: 'transcript', sender: 'bot', timestamp: 1.5 }],
		evaluation: [{ name: 'status', type: 'bool', value: true }],
		...{ variables: [], total_cost: '0.02500000', answered_by: null, webhook_response: null },
		...{ id: '5001', created_at: '2026-03-02T09:30:00.000000Z', campaign_name: null },
	};

	it('in another documented form are no fault, and show the newer generation', async () => {
		const result = await verifyWith({ '/user/calls': withFields(DOCUMENTED) }, READ);
		const [, [outcome, paths] = []] = told(result, 'Calls');
		expect(outcome).toBe('ok');
		expect([...(paths ?? [])].map((path) => path.split(':')[0]).sort()).toEqual(
			Object.keys(DOCUMENTED).sort(),
		);
		expect(told(result, 'Generation')).toEqual([['note', []]]);
		expect(exitStatus(result)).toBe(0);
	});

	it('that do not fit are told by their paths, without values', async () => {
		const variables = { 'Jane Moreno': { city: 'Bonn' } };
		const other = withFields({ assistant_name: 17, type: 'fax', variables, duration: undefined });
		const result = await verifyWith({ '/user/calls': other }, READ);
		expect(told(result, 'Calls')).toEqual([
			['ok', []],
			[
				'note',
				[
					'duration: is missing',
					'assistant_name: must be string, and is number',
					'type: must be equal to one of the allowed values, and is string',
				],
			],
		]);
	});

	it.each<[string, object, string]>([
		['/user/calls', { status: { value: 'completed' } }, 'status: must be string, and is object'],
		[ASSISTANTS, { id: undefined }, 'id: is missing'],
	])('of %s that the nodes cannot use: %j', async (path, fields, told) => {
		const result = await verifyWith({ [path]: withFields(fields) }, READ);
		const problem = result.findings.find(({ outcome }) => outcome === 'problem');
		expect(problem?.paths).toContain(told);
		expect(exitStatus(result)).toBe(1);
	});

	it('are missing in an empty account, which is no fault', async () => {
		const empty: Other = (page) => ({ ...page, data: [] });
		const result = await verifyWith({ '/user/calls': empty, [ASSISTANTS]: empty }, READ);
		expect(told(result, 'Calls')).toEqual([
			['ok', []],
			['open', []],
		]);
		expect(told(result, 'Generation')).toEqual([['open', []]]);
		expect(exitStatus(result)).toBe(0);
	});
});

it.each<[string, object, string, string]>([
	['built-in tools', { tools: [{ type: 'end_call', data: {} }] }, 'Tools of assistants', 'problem'],
	['tools without a list', { tools: 'none' }, 'Tools of assistants', 'problem'],
	['no tools', { tools: [] }, 'Tools of assistants', 'open'],
	['only completed', { send_webhook_only_on_completed: true }, 'Only completed calls', 'note'],
	['only completed, as 1', { send_webhook_only_on_completed: 1 }, 'Only completed calls', 'note'],
])('assistants with %s', async (_, fields, topic, outcome) => {
	const result = await verifyWith({ [ASSISTANTS]: withFields(fields) }, READ);
	expect(told(result, topic)).toEqual([[outcome, []]]);
});

describe('refusals', () => {
	it.each<[string, object, string]>([
		['newer', { name: ['The name field is required.'] }, 'problem'],
		['unknown', {}, 'open'],
	])('that name %s fields show the generation', async (_, errors, outcome) => {
		const other = () => ({ message: 'Validation failed', errors });
		const result = await verifyWith({ '/user/assistant': other });
		expect(told(result, 'Names of fields')).toEqual([[outcome, []]]);
	});

	it('that do not fit are told by request', async () => {
		const result = await verifyWith({ '/user/lead': () => ({ error: 'Jane Moreno' }) });
		expect(told(result, 'Refusals')).toEqual([
			['note', expect.arrayContaining(['POST /user/lead (422) message: is missing'])],
		]);
	});

	it('that did not come are not taken for checked', async () => {
		const result = await verifyWith({ '/user/lead': 500 });
		expect(told(result, 'Refusals')[0]).toEqual(['failed', []]);
		expect(exitStatus(result)).toBe(2);
	});
});
