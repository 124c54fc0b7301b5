import { describe, expect, it } from '@jest/globals';

import { exitStatus, type Result } from '../../src/verify/verify.mts';
import { account } from './support/account.mts';
import { startProvider, verifyAt, verifyWith, type Other } from './support/measure.mts';
import { sampled } from '../../../test/support/sample.mts';

const CALLS = '/user/calls';
const ASSISTANTS = '/user/assistants/get';
const READ = { withRefused: false };

/** Each record of a page has these fields. */
const withFields =
	(fields: object): Other =>
	(page) => ({ ...page, data: page.data.map((record) => ({ ...record, ...fields })) });

/** What it tells about a topic: `ok, note`. */
const outcomes = ({ findings }: Result, wanted: string): string =>
	findings.flatMap(({ topic, outcome }) => (topic === wanted ? outcome : [])).join(', ');

const textOf = ({ findings }: Result, wanted: string): string | undefined =>
	findings.find(({ topic }) => topic === wanted)?.text;

const pathsOf = ({ findings }: Result, wanted: string): string[] =>
	findings.flatMap(({ topic, paths }) => (topic === wanted ? paths : []));

it('at a service as in the contract, everything is found so', async () => {
	const { findings, ...result } = await verifyWith({});
	const topics = ['Address', 'Calls', 'Assistants', 'Generation', 'Tools of assistants'];
	for (const topic of [...topics, 'Only completed calls', 'Names of fields', 'Refusals']) {
		expect([topic, outcomes({ findings, ...result }, topic)]).toEqual([
			topic,
			expect.stringMatching(/^ok(, ok)?$/),
		]);
	}
	expect(findings.flatMap(({ paths }) => paths)).toEqual([]);
	expect(exitStatus({ findings, ...result })).toBe(0);
});

it.each<[string, string, Other, string, number]>([
	['Campaigns', '/user/campaigns', () => [{ id: 1 }], 'ok', 0],
	['Campaigns', '/user/campaigns', () => ({ campaigns: [] }), 'ok', 0],
	['Campaigns', '/user/campaigns', () => ({ id: 1 }), 'note', 0],
	['Campaigns', '/user/campaigns', 405, 'note', 0],
	['Campaigns', '/user/campaigns', 503, 'failed', 2],
	['Campaigns', '/user/campaigns', 429, 'failed', 2],
	['Assistants', ASSISTANTS, 404, 'problem', 1],
	['Assistants', ASSISTANTS, () => ({ items: [] }), 'problem', 1],
	['Account', '/user/me', () => ({ name: 'Ada' }), 'ok', 0],
])('the list %s at %s with %p: %s', async (topic, path, other, outcome, status) => {
	const result = await verifyWith({ [path]: other }, READ);
	expect([outcomes(result, topic), exitStatus(result)]).toEqual([outcome, status]);
});

describe('the records of a list', () => {
	const DOCUMENTED = {
		transcript: [{ text: 'Hello!', type: 'transcript', sender: 'bot', timestamp: 1.5 }],
		evaluation: [{ name: 'status', type: 'bool', value: true }],
		...{ variables: [], total_cost: '0.02500000', answered_by: null, webhook_response: null },
		...{ id: '5001', created_at: '2026-03-02T09:30:00.000000Z', campaign_name: null },
	};

	it('in another documented form are no fault, and show the newer generation', async () => {
		const result = await verifyWith({ [CALLS]: withFields(DOCUMENTED) }, READ);
		const names = pathsOf(result, 'Calls').map((path) => path.split(':')[0]);
		expect(names.sort()).toEqual(Object.keys(DOCUMENTED).sort());
		expect(outcomes(result, 'Calls')).toBe('ok, ok');
		expect(outcomes(result, 'Generation')).toBe('note');
		expect(exitStatus(result)).toBe(0);
	});

	it('that do not fit are told by their paths', async () => {
		const fields = { assistant_name: 17, type: 'fax', duration: undefined };
		const result = await verifyWith({ [CALLS]: withFields(fields) }, READ);
		expect(outcomes(result, 'Calls')).toBe('ok, note');
		expect(pathsOf(result, 'Calls')).toEqual([
			'duration: is missing',
			'assistant_name: must be string, and is number',
			'type: must be equal to one of the allowed values, and is string',
		]);
	});

	it.each([
		['Calls', CALLS, { status: [] }, 'status: must be string, and is list'],
		['Assistants', ASSISTANTS, { id: undefined }, 'id: is missing'],
	])('of %s that the nodes cannot use: %s %p', async (topic, path, fields, expected) => {
		const result = await verifyWith({ [path]: withFields(fields) }, READ);
		expect(outcomes(result, topic)).toBe('ok, problem');
		expect(pathsOf(result, topic)).toContain(expected);
		expect(exitStatus(result)).toBe(1);
	});

	it('are missing in an empty account, which is no fault', async () => {
		const empty: Other = (page) => ({ ...page, data: [] });
		const result = await verifyWith({ [CALLS]: empty, [ASSISTANTS]: empty }, READ);
		expect(outcomes(result, 'Calls')).toBe('ok, open');
		expect(outcomes(result, 'Generation')).toBe('open');
		expect(exitStatus(result)).toBe(0);
	});
});

const TOOLS = '/user/tools';
const BUILT_IN = { tools: [{ type: 'end_call', data: {} }] };
const OTHER_TOOLS = /'Other Tools of These Assistants'/;
const noTools: Other = () => [];

it.each<[fields: object, topic: string, outcome: string, text: RegExp, tools?: Other]>([
	[BUILT_IN, 'Tools of assistants', 'note', OTHER_TOOLS, 404],
	[BUILT_IN, 'Tools of assistants', 'note', OTHER_TOOLS],
	[BUILT_IN, 'Tools of assistants', 'ok', /which stay\. The account has no mid call tool/, noTools],
	[{ tools: [{ id: 7 }, ...BUILT_IN.tools] }, 'Tools of assistants', 'ok', /^they have IDs\./],
	[{ tools: 'none' }, 'Tools of assistants', 'problem', /^are no list\./],
	[{ tools: [] }, 'Tools of assistants', 'open', OTHER_TOOLS],
	[{ tools: [] }, 'Tools of assistants', 'ok', /no mid call tool to lose\.$/, noTools],
	[{ send_webhook_only_on_completed: true }, 'Only completed calls', 'note', /'Calls'/],
	[{ send_webhook_only_on_completed: 1 }, 'Only completed calls', 'note', /'Calls'/],
])('assistants with %j: %s, %s', async (...[fields, topic, outcome, text, tools]) => {
	const others = {
		[ASSISTANTS]: withFields(fields),
		...(tools !== undefined && { [TOOLS]: tools }),
	};
	const result = await verifyWith(others, READ);
	expect(outcomes(result, topic)).toBe(outcome);
	expect(textOf(result, topic)).toMatch(text);
});

it('the newer generation has no problem, and all that differs is told', async () => {
	await using provider = await startProvider(account(), 'current');
	const result = await verifyAt(provider.url);
	expect(exitStatus(result)).toBe(0);
	expect(textOf(result, 'Generation')).toMatch(
		/^probably the newer one, because of `ringing_time`/,
	);
	expect(textOf(result, 'Names of fields')).toBe(
		'the newer ones (name, type, mode). Voice Assistant → Create and Update send them.',
	);
	expect(textOf(result, 'Tools of assistants')).toMatch(OTHER_TOOLS);
	expect(textOf(result, 'Inbound webhook')).toMatch(/'Inbound Call Starting'/);
});

describe('refusals', () => {
	const assistantErrors: Array<[errors: object, outcome: string]> = [
		[{ assistant_name: [], voice_id: [] }, 'ok'],
		[{ mode: ['The mode field is required.'] }, 'ok'],
		[{ voice_id: [], timezone: [] }, 'open'],
		[{ name: [], assistant_name: [] }, 'open'],
	];
	it.each(sampled(assistantErrors, 2))(
		'of an assistant show the generation: %j',
		async (errors, outcome) => {
			const refused = () => ({ message: 'Validation failed', errors });
			const result = await verifyWith({ '/user/assistant': refused });
			expect(outcomes(result, 'Names of fields')).toBe(outcome);
		},
	);

	it('that do not fit are told by request, and those that did not come as failed', async () => {
		const refused = () => ({ error: 'No.' });
		const result = await verifyWith({ '/user/lead': refused, '/user/sms': 500 });
		expect(outcomes(result, 'Refusals')).toBe('failed, note');
		expect(pathsOf(result, 'Refusals')).toContain('POST /user/lead (422) message: is missing');
		expect(exitStatus(result)).toBe(2);
	});
});
