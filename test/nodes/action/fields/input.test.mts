import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { NEWER_ONLY } from '../../../../nodes/VoiceAssistantCalling/resources/assistant/generations/newerNames.ts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { byId, leadPerItem, operationNamed, people } from '../../../support/n8n/operations.mts';
import { distinct, OPERATION_FIELDS, type OperationField } from '../../../support/n8n/fields.mts';
import { executeNode } from '../../../support/n8n/executeNode.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { sampled } from '../../../support/sample.mts';

useDefaultEngine({ sharedCaller: true });
const { n8n, sent, service } = await startTestEnvironment({ tool_quota: 1_000 });

const FROM_ITEM = '={{ $json.value }}';

/** Values of a field that are refused, by the reason in the message. */
type RefusedValues = Record<string, unknown[]>;

/** Runs an operation with each of the values of one field. Each is refused for its reason. */
async function expectRefused(
	{ field, label, parametersWith }: OperationField,
	refused: RefusedValues,
): Promise<void> {
	const expected = Object.entries(refused).flatMap(([reason, values]) =>
		values.map((value) => ({ reason, item: value === undefined ? {} : { value } })),
	);
	const { output } = await n8n.runNode({
		parameters: parametersWith(field.type === 'resourceLocator' ? byId(FROM_ITEM) : FROM_ITEM),
		items: expected.map(({ item }) => item as IDataObject),
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output[0]).toEqual([]);
	const refusals = output[1].map(({ json, pairedItem }) => {
		const { message, errors, httpCode } = json.error as Record<string, unknown>;
		return { message, errors, httpCode, pairedItem };
	});
	expect(refusals).toEqual(
		expected.map(({ reason }, item) => ({
			message: `'${label}' ${reason}`,
			errors: { [label]: [reason] },
			httpCode: null,
			pairedItem: { item },
		})),
	);
	expect(await sent()).toEqual([]);
}

const ofType = (type: string) =>
	distinct(OPERATION_FIELDS.filter(({ field }) => field.type === type));
const isId = ({ field }: OperationField) => field.name.endsWith('Id');
const getEntries = ({ field }: OperationField): Field[] => (field as Field).entries ?? [];
const getOptions = ({ field }: OperationField) =>
	(field.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));

const IDS = OPERATION_FIELDS.filter(isId);
const TEXTS = ofType('string').filter((target) => !isId(target));
const LISTS = ofType('json').filter((target) => getEntries(target).length > 0);

const NO_ID = [
	...['../calls', '1/../../campaigns', '1?x=1', '1#x', '%2e%2e', ' 1', '1 ', '1\n', '１', 'eins'],
	...['0', '00', '01', '1e3', '0x10', '+1', '-1', '1.5', '1234567890123456', '9007199254740993'],
	...[2 ** 53 + 2, 1e15, 0, -1, 1.5, 1e21, true, { id: 1 }, [1]],
];
const NO_DATE = [
	...['yesterday', '31.01.2026', '2026-1-5', '2026-02-30', '2026-13-01', '2026-01-310'],
	...['2026-01-31 - 2026-02-15', '2026-01-31/2026-02-15', '2026-01-31 10:00 Uhr', 20260131],
	...['2026-01-31T', '2026-01-31T25:00', {}],
];
const NO_OBJECT = ['[]', '[1, 2]', '"text"', '12', 'null', 'true', [1]];
const NO_LIST = ['{}', '{"name": "a"}', '"text"', '12', 'null', 'true', { name: 'a' }];
const NO_JSON =
	'is not valid JSON: put names and texts in double quotes, and a comma between entries';

function numbersOutside({ field }: OperationField): RefusedValues {
	const { minValue: min, maxValue: max, numberPrecision: precision } = field.typeOptions ?? {};
	const [kind, step] = precision === 0 ? ['a whole number', 1] : ['a number', 0.01];
	const half = Number(min) + 0.5;
	return {
		[`must be ${kind} from ${min}${max === undefined ? '' : ` to ${max}`}`]: [
			...[Number(min) - step, String(Number(min) - step), -1e9],
			...(max === undefined ? [] : [max + step, String(max + step), 1e9]),
			...['many', '1e1', '0x1', '1,5', '1.', 'NaN', true, [1], {}],
			...(precision === 0 ? [half, String(half)] : []),
		],
	};
}

function otherChoices(target: OperationField): RefusedValues {
	const options = getOptions(target);
	const others = ['something', `${options[0]} `, `${String(options[0]).toUpperCase()}X`, 1, true];
	return { [`must be one of: ${options.join(', ')}`]: others };
}

/** The fields of each kind, and the values that they refuse. */
const KINDS: Array<
	[kind: string, fields: OperationField[], refused: (target: OperationField) => RefusedValues]
> = [
	['ID', IDS, () => ({ 'must be an ID: a whole number from 1, such as 42': NO_ID })],
	[
		'JSON',
		ofType('json').filter((target) => !LISTS.includes(target)),
		() => ({
			'must be a JSON object, such as {"city": "Berlin"}': NO_OBJECT,
			[NO_JSON]: ['{', '{"a":}', "{'a': 1}", 'city: Berlin', '{"a": 1},'],
		}),
	],
	[
		'JSON list',
		LISTS,
		({ field }) => ({
			[`must be a JSON list, ${field.placeholder}`]: NO_LIST,
			[NO_JSON]: ['[', '[{"a":}]', "[{'a': 1}]", 'day', '[],'],
		}),
	],
	['number', ofType('number'), numbersOutside],
	['choice', ofType('options').filter((target) => getOptions(target).length > 0), otherChoices],
	[
		'switch',
		ofType('boolean'),
		() => ({ 'must be true or false': ['yes', 'truely', 2, -1, ' ', [true]] }),
	],
	['date', ofType('dateTime'), () => ({ 'must be a date, such as 2026-01-31': NO_DATE })],
	[
		'text',
		TEXTS,
		() => ({
			'must be text, not an object or a list': [{ a: 1 }, ['a'], '[object Object]'],
			'has a date that is not valid': [new Date(NaN)],
			'has the result of a calculation that has none (NaN or Infinity)': [NaN, 1 / 0, 'NaN'],
		}),
	],
];

const named = (fields: OperationField[]) =>
	fields.map((target): [name: string, target: OperationField] => [
		`${target.operation.name}: ${target.label}`,
		target,
	]);

describe.each(KINDS)('the %s', (_kind, fields, refused) => {
	it.each(sampled(named(fields), 4))(
		'%s is refused when it is none, and nothing is sent',
		async (_, target) => {
			await expectRefused(target, refused(target));
		},
	);
});

const NOTHING = ['', null, undefined];

/** Whether an empty field is an error: a required field, or a filter. Without a filter, all would be read. */
const mustBeFilled = ({ field }: OperationField) =>
	field.required === true || (field as Field).routing?.send.type === 'query';

describe('an empty field', () => {
	it.each(sampled(named([...IDS, ...TEXTS].filter(mustBeFilled)), 4))(
		'is refused where it must be filled: %s',
		async (_, target) => {
			await expectRefused(target, { 'is empty': NOTHING });
		},
	);

	// The value of a custom variable may be empty.
	const optional = [...IDS, ...TEXTS]
		.filter((target) => !mustBeFilled(target))
		.filter(({ label }) => label !== 'Variables → 1 → Value');

	it.each(sampled(named(optional), 4))('is not sent elsewhere: %s', async (_, target) => {
		await n8n.runNode({
			parameters: target.parametersWith(FROM_ITEM),
			items: NOTHING.map((value) => (value === undefined ? {} : { value })),
			settings: { onError: 'continueErrorOutput' },
		});
		const requests = await sent();
		for (const request of requests) expect(JSON.stringify(request)).not.toMatch(/:""|:null/);
		if (!isId(target)) return;
		const { body } = target.operation.request;
		expect(requests.map((request) => request.body)).toEqual(NOTHING.map(() => body));
	});
});

/** What only the newer generation takes is refused here by name, see assistantGenerations.test.mts. */
const isInBoth = ({ field }: OperationField) =>
	![...NEWER_ONLY, 'max_silence_duration'].includes(field.routing?.send?.property ?? '');

describe.each(named(LISTS.filter(isInBoth)))('the JSON list in %s', (_name, target) => {
	const entries = getEntries(target);
	const whole = entries.map((entry): [string, unknown] => [
		entry.name,
		entry.type === 'options' ? entry.default : 'abc',
	]);

	it('takes the example under the field', async () => {
		const example = target.field.placeholder?.replace(/^e\.g\. /, '');
		const { error } = await n8n.runNode({
			parameters: target.parametersWith(FROM_ITEM),
			items: [{ value: example }],
		});
		expect(error).toBeUndefined();
		expect(JSON.stringify(await sent())).toContain(JSON.stringify(JSON.parse(example ?? '')));
	});

	it.each(entries)(
		'is refused when an entry has no $displayName, and the message names the entry',
		async ({ name, displayName }) => {
			const part = Object.fromEntries(whole.filter(([each]) => each !== name));
			const full = Object.fromEntries(whole);
			const lists = [part, { ...part, [name]: '' }].map((entry) => [full, entry]);
			const label = `${target.label} → 2 → ${displayName}`;
			await expectRefused(
				{ ...target, label },
				{ 'is empty': [...lists, JSON.stringify(lists[0])] },
			);
		},
	);
});

it.each(sampled(named(ofType('number').filter(isInBoth)), 4))(
	'the number %s is accepted at its limits, and arrives as a number if it was text',
	async (_name, target) => {
		const { minValue, maxValue } = target.field.typeOptions ?? {};
		const limits = [minValue, maxValue].filter((limit) => limit !== undefined);
		for (const value of limits.flatMap((limit) => [limit, String(limit)])) {
			await service.reset();
			const parameters = target.parametersWith(FROM_ITEM);
			const { error } = await n8n.runNode({ parameters, items: [{ value }] });
			expect(error).toBeUndefined();
			// An update asks first which names the provider uses, and reads the record afterwards.
			const body = JSON.stringify((await sent()).map((request) => request.body ?? {}));
			expect(body).not.toContain(`"${value}"`);
			if (target.operation.request.body && target.field.routing)
				expect(body).toContain(`:${value}`);
		}
	},
);

describe.each(sampled(named(ofType('dateTime')), 4))('the date %s', (_name, target) => {
	async function sentValues(value: string): Promise<unknown[]> {
		const { error } = await n8n.runNode({ parameters: target.parametersWith(value) });
		expect(error).toBeUndefined();
		const [request] = await sent();
		return Object.values<unknown>({ ...(request?.query as IDataObject) });
	}

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
		expect(await sentValues(value)).toContain(day);
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
		const values = await sentValues(value);
		// The day may change while the test runs.
		expect(values.includes(before) || values.includes(day())).toBe(true);
	});
});

describe('a refused item', () => {
	const FAILS_FOR_ITEM_2 = `={{ $json.phone === "${people(3)[2]?.phone}" ? $("Nowhere").item.json.x : $json.phone }}`;

	/** What stops a run of five items, at the item whose field is wrong. */
	const STOPS: Array<
		[what: string, fields: INodeParameters, message: string, sent: number, nextStep: string]
	> = [
		[
			'has a wrong value',
			{ campaignId: '={{ $itemIndex === 1 ? "1e3" : 1 }}' },
			"'Campaign' must be an ID: a whole number from 1, such as 42",
			1,
			'The value is: 1e3.',
		],
		[
			'has no value',
			{ phoneNumber: '={{ $json.person.phone }}' },
			"'Phone Number' is empty",
			0,
			'Fill it in, or check its expression.',
		],
		[
			'has an expression that fails',
			{ phoneNumber: FAILS_FOR_ITEM_2 },
			"Referenced node doesn't exist",
			2,
			"Check the expression in 'Phone Number'.",
		],
	];
	const SUCCEEDED = ['No item succeeded.', 'Succeeded: item 0. ', 'Succeeded: items 0–1. '];

	it.each(STOPS)(
		'that %s is named by its index, with what to do: items before are sent once, and items after are not sent',
		async (_what, fields, message, index, nextStep) => {
			const { error } = await n8n.runNode({
				parameters: {
					...leadPerItem,
					requestOptions: { maxConcurrentRequests: 1 },
					...fields,
				},
				items: people(index + 3),
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			});
			expect(error).toMatchObject({
				message,
				description: [
					(SUCCEEDED[index] ?? '') +
						(index > 0
							? "Leave these out when you try again, as 'Retry' in the list of executions does."
							: ''),
					`Not sent: item ${index} (${message}).`,
					`Not started: items ${index + 1}–${index + 2}.`,
					'Items are counted from 0.',
					`${nextStep} Nothing was sent for this item.`,
				].join('\n'),
				context: { itemIndex: index },
			});
			expect((await sent()).map(({ body }) => body)).toMatchObject(
				people(index).map(({ phone }) => ({ phone_number: phone })),
			);
		},
	);

	it('has an object that n8n cannot pass on, and the message names the field', async () => {
		const { error } = await n8n.runNode({
			parameters: { ...leadPerItem, phoneNumber: '={{ $json.odd }}' },
			items: [{ odd: JSON.parse('{"constructor": {"a": 1}}') as IDataObject }],
		});
		expect(error?.message).toContain('could not be cloned');
		expect(error?.description).toBe(
			"Check the expression in 'Phone Number'. Nothing was sent for this item.",
		);
		expect(await sent()).toEqual([]);
	});

	it('has an expression in place of a list', async () => {
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

it('an operation that an AI agent chooses is executed', async () => {
	const { parameters, request } = operationNamed('campaign: start');
	const { output, error } = await n8n.runNode({
		parameters: { ...parameters, operation: "={{ $fromAI('operation', ``, 'string') }}" },
		items: [{ operation: 'start' }],
	});
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(1);
	expect(await sent()).toMatchObject([request]);
});

describe('resource and operation by expressions, which n8n 2.0 evaluates', () => {
	/** Runs the node on items that hold their resource and operation. */
	const outputFor = async (items: IDataObject[], fields: INodeParameters) => {
		const names = { resource: '={{ $json.resource }}', operation: '={{ $json.operation }}' };
		return await executeNode(n8n, { parameters: { ...names, ...fields }, items });
	};

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

describe('Return All', () => {
	const { resource = '', operation = '' } = operationNamed('call: getAll').parameters;

	it.each([
		...[true, '={{ true }}', '={{ " TRUE " }}', '={{ 1 }}', '={{ "1" }}'].map(
			(returnAll) => [returnAll, 'all, and ignores the hidden limit', -5, '100'] as const,
		),
		...[false, '={{ false }}', '={{ "False" }}', '={{ 0 }}', '={{ $json.missing }}'].map(
			(returnAll) => [returnAll, 'as many as the limit says', 7, '7'] as const,
		),
	])('as %j reads %s', async (returnAll, _what, limit, per_page) => {
		const parameters = { resource, operation, returnAll, limit };
		expect((await n8n.runNode({ parameters })).error).toBeUndefined();
		expect((await sent()).map(({ query }) => query)).toEqual([{ page: '1', per_page }]);
	});
});
