import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { ExecuteContext } from 'n8n-core';
import { createRunExecutionData, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { ACTION } from '../../../../host/n8n/names.mts';
import type { Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { byId, leadPerItem, operationNamed, people } from '../../../support/n8n/operations.mts';
import { distinct, OPERATION_FIELDS, type OperationField } from '../../../support/n8n/fields.mts';
import { NODE_NAME } from '../../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent, service } = await startTestEnvironment({ tool_quota: 1_000 });

const FROM_ITEM = '={{ $json.value }}';

/**
 * Fields with names for their tests. Only the first of them is tested with n8n's default engine, which is
 * slow because values leave an isolate.
 */
const named = (fields: OperationField[]) =>
	fields.map((target, index): [name: string, target: OperationField, isFirst: boolean] => [
		`${target.operation.name}: ${target.label}`,
		target,
		index === 0,
	]);

/** Runs an operation with each of the values of one field. Each is refused for this reason. */
async function expectRefused(
	{ field, label, parametersWith }: OperationField,
	values: unknown[],
	reason: string,
): Promise<void> {
	const value = field.type === 'resourceLocator' ? byId(FROM_ITEM) : FROM_ITEM;
	const { output } = await n8n.runNode({
		parameters: parametersWith(value),
		items: values.map((item) => (item === undefined ? {} : { value: item as string })),
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output[0]).toEqual([]);
	const refusals = output[1].map(({ json, pairedItem }) => {
		const { message, errors, httpCode } = json.error as Record<string, unknown>;
		return { message, errors, httpCode, pairedItem };
	});
	expect(refusals).toEqual(
		values.map((_value, item) => ({
			message: `'${label}' ${reason}`,
			errors: { [label]: [reason] },
			httpCode: null,
			pairedItem: { item },
		})),
	);
}

/** Whether an empty field is an error: a required field, or a filter. Without a filter, all would be read. */
const mustBeFilled = ({ field }: OperationField) =>
	field.required === true || (field as Field).routing?.send.type === 'query';

describe.each(named(OPERATION_FIELDS.filter(({ field }) => field.name.endsWith('Id'))))(
	'the ID %s',
	(_name, target, isFirst) => {
		if (isFirst) useDefaultEngine();

		it('is refused unless it is a whole number from 1, and nothing is sent', async () => {
			const values = [
				'../calls',
				'1/../../campaigns',
				'1?x=1',
				'1#x',
				'%2e%2e',
				'0',
				'00',
				'01',
				'1e3',
				'0x10',
				'+1',
				'-1',
				'1.5',
				' 1',
				'1 ',
				'1\n',
				'１',
				'eins',
				'1234567890123456',
				'9007199254740993',
				2 ** 53 + 2,
				1e15,
				0,
				-1,
				1.5,
				1e21,
				true,
				{ id: 1 },
				[1],
			];
			await expectRefused(target, values, 'must be an ID: a whole number from 1, such as 42');
			expect(await sent()).toEqual([]);
		});

		const nothing = ['', null, undefined];

		if (mustBeFilled(target)) {
			it('is refused where it is empty, and nothing is sent', async () => {
				await expectRefused(target, nothing, 'is empty');
				expect(await sent()).toEqual([]);
			});
		} else {
			it('is not sent where it is empty', async () => {
				const { error } = await n8n.runNode({
					parameters: target.parametersWith(FROM_ITEM),
					items: nothing.map((value) => (value === undefined ? {} : { value })),
				});
				expect(error).toBeUndefined();
				const { body } = target.operation.request;
				expect((await sent()).map((request) => request.body)).toEqual(nothing.map(() => body));
			});
		}
	},
);

describe('a refused item', () => {
	it('is named by its index, with the field and the value', async () => {
		const { error } = await n8n.runNode({
			parameters: {
				...leadPerItem,
				campaignId: '={{ $json.campaign }}',
				requestOptions: { maxConcurrentRequests: 1 },
			},
			items: people(3).map((person, item) => ({ ...person, campaign: item === 1 ? '1e3' : 1 })),
		});
		expect(error).toMatchObject({
			message: "'Campaign' must be an ID: a whole number from 1, such as 42",
			description: [
				'Succeeded: item 0. Leave these out when you try again.',
				"Not sent: item 1 ('Campaign' must be an ID: a whole number from 1, such as 42).",
				'Not started: item 2.',
				'Items are counted from 0.',
				'The value is: 1e3. Nothing was sent for this item.',
			].join('\n'),
			context: { itemIndex: 1 },
		});
		expect(await sent()).toHaveLength(1);
	});

	it('shows the beginning of a long value only', async () => {
		const { error } = await n8n.runNode({
			parameters: { ...leadPerItem, campaignId: 'x'.repeat(10_000) },
			items: people(1),
		});
		expect(error?.description).toBe(
			`The value is: ${'x'.repeat(60)}…. Nothing was sent for this item.`,
		);
	});
});

const ofType = (type: string) =>
	distinct(OPERATION_FIELDS.filter(({ field }) => field.type === type));

const isList = ({ field }: OperationField) => (field as Field).entries !== undefined;
const json = ofType('json');

describe.each(named(json.filter((target) => !isList(target))))(
	'the JSON in %s',
	(_name, target, isFirst) => {
		if (isFirst) useDefaultEngine();

		it('is refused unless it is an object, and nothing is sent', async () => {
			const noObjects = ['[]', '[1, 2]', '"text"', '12', 'null', 'true', [1]];
			await expectRefused(target, noObjects, 'must be a JSON object, such as {"city": "Berlin"}');
			const invalid = ['{', '{"a":}', "{'a': 1}", 'city: Berlin', '{"a": 1},'];
			await expectRefused(
				target,
				invalid,
				'is not valid JSON: put names and texts in double quotes, and a comma between entries',
			);
			expect(await sent()).toEqual([]);
		});
	},
);

describe.each(named(json.filter(isList)))('the JSON list in %s', (_name, target, isFirst) => {
	if (isFirst) useDefaultEngine();

	it('is refused unless it is a list, and nothing is sent', async () => {
		const noLists = ['{}', '{"name": "a"}', '"text"', '12', 'null', 'true', { name: 'a' }];
		await expectRefused(target, noLists, `must be a JSON list, ${target.field.placeholder}`);
		const invalid = ['[', '[{"a":}]', "[{'a': 1}]", 'day', '[],'];
		await expectRefused(
			target,
			invalid,
			'is not valid JSON: put names and texts in double quotes, and a comma between entries',
		);
		expect(await sent()).toEqual([]);
	});

	it('takes the example under the field', async () => {
		const example = target.field.placeholder?.replace(/^e\.g\. /, '');
		const { error } = await n8n.runNode({
			parameters: target.parametersWith(FROM_ITEM),
			items: [{ value: example }],
		});
		expect(error).toBeUndefined();
		expect(JSON.stringify(await sent())).toContain(JSON.stringify(JSON.parse(example ?? '')));
	});

	it.each((target.field as Field).entries ?? [])(
		'is refused when an entry has no $displayName, and the message names the entry',
		async ({ name, displayName }) => {
			const entries = (target.field as Field).entries ?? [];
			const whole = entries.map((entry): [string, unknown] => [
				entry.name,
				entry.type === 'options' ? entry.default : 'abc',
			]);
			const part = Object.fromEntries(whole.filter(([each]) => each !== name));
			const lists = [part, { ...part, [name]: '' }].map((entry) => [
				Object.fromEntries(whole),
				entry,
			]);
			await expectRefused(
				{ ...target, label: `${target.label} → 2 → ${displayName}` },
				[...lists, JSON.stringify(lists[0])],
				'is empty',
			);
			expect(await sent()).toEqual([]);
		},
	);
});

describe.each(named(ofType('number')))('the number %s', (_name, target, isFirst) => {
	if (isFirst) useDefaultEngine();

	const {
		minValue: min,
		maxValue: max,
		numberPrecision: precision,
	} = target.field.typeOptions ?? {};
	const step = precision === 0 ? 1 : 0.01;

	it('is refused outside of its limits, and if it is not a number', async () => {
		const limits =
			max === undefined ? `must be at least ${min}` : `must be between ${min} and ${max}`;
		const outside = [
			...(min === undefined ? [] : [min - step, String(min - step), -1e9]),
			...(max === undefined ? [] : [max + step, String(max + step), 1e9]),
		];
		await expectRefused(target, outside, limits);

		const none = ['many', '1e1', '0x1', '1,5', '1.', 'NaN', true, [1], {}];
		await expectRefused(target, none, 'must be a number');

		const parts = precision === 0 ? [(min ?? 1) + 0.5, String((min ?? 1) + 0.5)] : [];
		await expectRefused(target, parts, 'must be a whole number');
		expect(await sent()).toEqual([]);
	});

	it('is accepted at its limits, and arrives as a number if it was text', async () => {
		const limits = [min, max].filter((limit) => limit !== undefined);
		for (const value of limits.flatMap((limit) => [limit, String(limit)])) {
			await service.reset();
			const parameters = target.parametersWith(FROM_ITEM);
			const { error } = await n8n.runNode({ parameters, items: [{ value }] });
			expect(error).toBeUndefined();
			const body = JSON.stringify((await sent()).at(-1)?.body ?? {});
			expect(body).not.toContain(`"${value}"`);
			if (target.operation.request.body && target.field.routing)
				expect(body).toContain(`:${value}`);
		}
	});
});

const withOptions = ofType('options').filter(({ field }) => (field.options ?? []).length > 0);

describe.each(named(withOptions))('the choice %s', (_name, target, isFirst) => {
	if (isFirst) useDefaultEngine();

	it('is refused unless it is one of the options, which the message names', async () => {
		const options = (target.field.options ?? []).map((option) =>
			'value' in option ? option.value : '',
		);
		const values = [
			'something',
			`${options[0]} `,
			String(options[0]).toUpperCase().concat('X'),
			1,
			true,
		];
		await expectRefused(target, values, `must be one of: ${options.join(', ')}`);
		expect(await sent()).toEqual([]);
	});
});

describe.each(named(ofType('boolean')))('the switch %s', (_name, target, isFirst) => {
	if (isFirst) useDefaultEngine();

	it('is refused unless it is true or false', async () => {
		const values = ['yes', 'truely', 2, -1, ' ', [true]];
		await expectRefused(target, values, 'must be true or false');
		expect(await sent()).toEqual([]);
	});
});

describe.each(named(ofType('dateTime')))('the date %s', (_name, target) => {
	useDefaultEngine();

	it('is refused unless it is one', async () => {
		const values = [
			'yesterday',
			'31.01.2026',
			'2026-1-5',
			'2026-02-30',
			'2026-13-01',
			'2026-01-31 - 2026-02-15',
			'2026-01-31/2026-02-15',
			'2026-01-31T',
			'2026-01-31T25:00',
			'2026-01-31 10:00 Uhr',
			'2026-01-310',
			20260131,
			{},
		];
		await expectRefused(target, values, 'must be a date, such as 2026-01-31');
		expect(await sent()).toEqual([]);
	});

	it.each([
		['2026-02-03', '2026-02-03'],
		[' 2026-02-03 ', '2026-02-03'],
		['2026-02-03T10:00', '2026-02-03'],
		['2026-02-03 10:00:00', '2026-02-03'],
		['2026-02-03 10:00:00.123456+00', '2026-02-03'],
		['2026-02-03T10:00:00Z', '2026-02-03'],
		['2026-02-03T24:00:00,5-0330', '2026-02-03'],
		['2026-02-03T23:30:00.000+14:00', '2026-02-03'],
		['={{ DateTime.fromISO("2026-02-03T23:30:00Z", { zone: "utc" }) }}', '2026-02-03'],
		['={{ new Date("2026-02-03T23:30:00Z") }}', '2026-02-03'],
		['={{ "2026-01-31".toDateTime() }}', '2026-01-31'],
		['={{ "2026-01-31T10:00:00+02:00" }}', '2026-01-31'],
	])('given as %s is sent as a day', async (value, day) => {
		const { error } = await n8n.runNode({ parameters: target.parametersWith(value) });
		expect(error).toBeUndefined();
		const [request] = await sent();
		expect(Object.values(request?.query ?? {})).toContain(day);
	});

	it.each([
		['={{ $today }}', 0],
		['={{ $now }}', 0],
		['={{ $today.minus({days: 7}) }}', 7],
		['={{ $now.minus({weeks: 1}) }}', 7],
	])('given as %s is sent as that day of the workflow', async (value, daysAgo) => {
		const { timezone } = n8n.workflow({ nodes: [], connections: {} });
		const day = () => DateTime.now().setZone(timezone).minus({ days: daysAgo }).toISODate();
		const before = day();
		const { error } = await n8n.runNode({ parameters: target.parametersWith(value) });
		expect(error).toBeUndefined();
		const [request] = await sent();
		const values = Object.values(request?.query ?? {});
		// The day may change while the test runs.
		expect(values.includes(before) || values.includes(day())).toBe(true);
	});
});

const texts = ofType('string').filter(({ field }) => !field.name.endsWith('Id'));

describe.each(named(texts))('the text %s', (_name, target, isFirst) => {
	if (isFirst) useDefaultEngine();

	it('is refused when an expression gives an object or a list', async () => {
		const values = [{ a: 1 }, ['a']];
		await expectRefused(target, values, 'must be text, not an object or a list');
		expect(await sent()).toEqual([]);
	});

	it('is refused where it is required and empty, and otherwise not sent', async () => {
		if (target.field.required) {
			const values = ['', null, undefined];
			await expectRefused(target, values, 'is empty');
			expect(await sent()).toEqual([]);
			return;
		}
		// The value of a custom variable may be empty.
		if (target.label === 'Variables → 1 → Value') return;
		for (const value of ['', null]) {
			await n8n.runNode({ parameters: target.parametersWith(FROM_ITEM), items: [{ value }] });
		}
		for (const request of await sent()) {
			expect(JSON.stringify(request)).not.toMatch(/:""|:null/);
		}
	});
});

describe('expressions', () => {
	useDefaultEngine();

	const parameters = (phoneNumber: string): INodeParameters => ({ ...leadPerItem, phoneNumber });

	it('that give nothing are an empty field', async () => {
		const { error } = await n8n.runNode({
			parameters: parameters('={{ $json.person.phone }}'),
			items: people(2),
		});
		expect(error).toMatchObject({
			message: "'Phone Number' is empty",
			description: [
				'No item succeeded.',
				"Not sent: item 0 ('Phone Number' is empty).",
				'Not started: item 1.',
				'Items are counted from 0.',
				'Fill it in, or check its expression. Nothing was sent for this item.',
			].join('\n'),
		});
		expect(await sent()).toEqual([]);
	});

	const FAILS_FOR_ITEM_2 = `={{ $json.phone === "${people(3)[2]?.phone}" ? $("Nowhere").item.json.x : $json.phone }}`;

	it('that fail stop the node in their turn: items before are sent once, and items after are not sent', async () => {
		const { error } = await n8n.runNode({
			parameters: parameters(FAILS_FOR_ITEM_2),
			items: people(5),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error).toMatchObject({
			message: "Referenced node doesn't exist",
			description: [
				'Succeeded: items 0–1. Leave these out when you try again.',
				"Not sent: item 2 (Referenced node doesn't exist).",
				'Not started: items 3–4.',
				'Items are counted from 0.',
				"Check the expression in 'Phone Number'. Nothing was sent for this item.",
			].join('\n'),
			context: { itemIndex: 2 },
		});
		expect((await sent()).map(({ body }) => body)).toMatchObject(
			people(2).map(({ phone }) => ({ phone_number: phone })),
		);
	});

	it('that fail affect only their item with continue on fail', async () => {
		const { output } = await n8n.runNode({
			parameters: parameters(FAILS_FOR_ITEM_2),
			items: people(4),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0].map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 3].map((item) => ({ item })),
		);
		expect(output[1]).toHaveLength(1);
		expect(await sent()).toHaveLength(3);
	});

	it('that n8n cannot pass on name the field: an object with the key "constructor"', async () => {
		const { error } = await n8n.runNode({
			parameters: parameters('={{ $json.odd }}'),
			items: [{ odd: JSON.parse('{"constructor": {"a": 1}}') as IDataObject }],
		});
		expect(error?.message).toContain('could not be cloned');
		expect(error?.description).toBe(
			"Check the expression in 'Phone Number'. Nothing was sent for this item.",
		);
		expect(await sent()).toEqual([]);
	});

	it('in place of a list are refused', async () => {
		const { error } = await n8n.runNode({
			parameters: {
				...operationNamed('lead: create').parameters,
				additionalFields: { secondaryContacts: { contact: '={{ [{ phoneNumber: "1" }] }}' } },
			},
		});
		expect(error?.message).toBe("'Secondary Contacts → 1 → Phone Number' is empty");
		expect(await sent()).toEqual([]);
	});
});

it("n8n's Execute Once sends the first item only", async () => {
	const { output, error } = await n8n.runNode({
		parameters: leadPerItem,
		items: people(3),
		settings: { executeOnce: true },
	});
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(1);
	expect(await sent()).toHaveLength(1);
});

describe('a filter that was added but has no value', () => {
	it.each([
		['phoneNumber', 'Phone Number'],
		['status', 'Status'],
		['type', 'Type'],
		['dateFrom', 'From Date'],
		['dateTo', 'To Date'],
		['campaignId', 'Campaign'],
	])('%s is refused instead of reading all calls', async (name, label) => {
		const { error } = await n8n.runNode({
			parameters: {
				...operationNamed('call: getAll').parameters,
				filters: { [name]: '={{ $json.missing }}' },
			},
		});
		expect(error?.message).toBe(`'${label}' is empty`);
		expect(await sent()).toEqual([]);
	});
});

describe('an operation that an AI agent chooses', () => {
	useDefaultEngine();

	it('is executed', async () => {
		const { parameters, request } = operationNamed('campaign: start');
		const { output, error } = await n8n.runNode({
			parameters: { ...parameters, operation: "={{ $fromAI('operation', ``, 'string') }}" },
			items: [{ operation: 'start' }],
		});
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(1);
		const { method, path, body } = request;
		expect(await sent()).toMatchObject([{ method, path, body }]);
	});
});

describe('resource and operation by expressions, which n8n 2.0 evaluates', () => {
	useDefaultEngine();

	/** Runs the node on items that hold their resource and operation. */
	async function outputFor(items: IDataObject[], fields: INodeParameters) {
		const workflow = n8n.workflow({ nodes: [{ name: NODE_NAME, type: ACTION }], connections: {} });
		const node = workflow.getNode(NODE_NAME);
		if (!node) throw new Error('The workflow has no node');
		// n8n 2.41 would remove the expression's `=` from these two.
		node.parameters = {
			resource: '={{ $json.resource }}',
			operation: '={{ $json.operation }}',
			...fields,
		};
		const input = items.map((json) => ({ json }));
		const data = { main: [input] };
		const context = new ExecuteContext(
			workflow,
			node,
			n8n.additionalData(workflow),
			'manual',
			createRunExecutionData(),
			0,
			input,
			data,
			{ node, data, source: null },
			[],
		);
		await workflow.expression.acquireIsolate();
		try {
			const output = await n8n.nodeType(ACTION).execute?.call(context);
			return Array.isArray(output) ? output[0] : undefined;
		} finally {
			await workflow.expression.releaseIsolate();
		}
	}

	it('may be different for each item', async () => {
		const items = [
			{ resource: 'campaign', operation: 'stop' },
			{ resource: 'lead', operation: 'create' },
			{ resource: 'call', operation: 'getAll' },
		];
		const phoneNumber = '+4915112345699';
		const fields = { campaignId: '1', phoneNumber, returnAll: false, limit: 1 };
		expect(await outputFor(items, fields)).toEqual([
			{ json: { campaign_id: 1, status: 'stopped' }, pairedItem: { item: 0 } },
			{ json: expect.objectContaining({ phone_number: phoneNumber }), pairedItem: { item: 1 } },
			{ json: expect.objectContaining({ id: 1, status: 'completed' }), pairedItem: { item: 2 } },
		]);
		const requests = await sent();
		expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual(
			expect.arrayContaining([
				['POST', '/api/user/campaigns/update-status', { campaign_id: 1, action: 'stop' }],
				['POST', '/api/user/lead', { campaign_id: 1, phone_number: phoneNumber }],
				['GET', '/api/user/calls', undefined],
			]),
		);
		expect(requests).toHaveLength(3);
	});

	it.each([
		{ resource: 'campaign', operation: 'begin' },
		{ resource: 'campaign', operation: 'create' },
		{ resource: 'campaign' },
		{ resource: 'person', operation: 'create' },
		{ resource: 'constructor', operation: 'name' },
		{},
	])('are refused if they name no operation: %j', async (item) => {
		await expect(outputFor([item], { campaignId: '1' })).rejects.toMatchObject({
			message: "'Resource' and 'Operation' do not name an operation of this node",
			description: 'Choose both from their lists. Nothing was sent for this item.',
		});
		expect(await sent()).toEqual([]);
	});
});

it('an expression as operation, which n8n 2.41 treats as text, is refused', async () => {
	const { parameters } = operationNamed('campaign: start');
	for (const operation of ['={{ "start" }}', '={{ undefined }}']) {
		const { error } = await n8n.runNode({ parameters: { ...parameters, operation } });
		expect(error?.message).toBe("'Resource' and 'Operation' do not name an operation of this node");
	}
	expect(await sent()).toEqual([]);
});

describe('Return All', () => {
	useDefaultEngine();

	const { parameters } = operationNamed('call: getAll');
	const list = (fields: INodeParameters): INodeParameters => ({
		resource: parameters.resource,
		operation: parameters.operation,
		...fields,
	});

	it.each([true, '={{ true }}', '={{ " TRUE " }}', '={{ 1 }}', '={{ "1" }}'])(
		'as %j reads all',
		async (returnAll) => {
			// The hidden Limit is ignored.
			const { error } = await n8n.runNode({ parameters: list({ returnAll, limit: -5 }) });
			expect(error).toBeUndefined();
			expect((await sent()).map(({ query }) => query)).toEqual([{ page: '1', per_page: '100' }]);
		},
	);

	it.each([false, '={{ false }}', '={{ "False" }}', '={{ 0 }}', '={{ $json.missing }}'])(
		'as %j reads as many as the limit says, which is checked',
		async (returnAll) => {
			const refused = await n8n.runNode({ parameters: list({ returnAll, limit: -5 }) });
			expect(refused.error?.message).toBe("'Limit' must be at least 1");
			expect(await sent()).toEqual([]);
			const { error } = await n8n.runNode({ parameters: list({ returnAll, limit: 7 }) });
			expect(error).toBeUndefined();
			expect((await sent()).map(({ query }) => query)).toEqual([{ page: '1', per_page: '7' }]);
		},
	);

	it.each(['={{ "yes" }}', '={{ 2 }}', '={{ [true] }}'])('as %j is refused', async (returnAll) => {
		const { error } = await n8n.runNode({ parameters: list({ returnAll, limit: 5 }) });
		expect(error?.message).toBe("'Return All' must be true or false");
		expect(await sent()).toEqual([]);
	});
});

describe('an update', () => {
	it.each([
		['assistant: update', { updateFields: {} }],
		['assistant: update', { updateFields: { name: '' } }],
		['lead: update', { updateFields: { email: '' } }],
		['midCallTool: update', { updateFields: {} }],
	])('%s without a change (%j) is refused', async (name, fields) => {
		const { error } = await n8n.runNode({
			parameters: { ...operationNamed(name).parameters, ...fields },
		});
		expect(error).toMatchObject({
			message: 'There is nothing to change, because no field has a value',
			description: 'Add at least one field and fill it in. Nothing was sent for this item.',
		});
		expect(await sent()).toEqual([]);
	});
});
