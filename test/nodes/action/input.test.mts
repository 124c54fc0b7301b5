import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { byId, leadPerItem, operationNamed, people } from '../../support/n8n-operations.mts';
import { distinct, PLACES, type Place } from '../../support/n8n-fields.mts';
import { startWorld } from '../../support/n8n-world.mts';

const { n8n, sent, fault } = await startWorld({ tool_quota: 1_000 });

const FROM_ITEM = '={{ $json.value }}';

/** A test's name for a place. */
const named = (places: Place[]) =>
	places.map((place): [string, Place] => [`${place.operation.name}: ${place.label}`, place]);

/** Runs an operation for each of the values of one field, and gives the errors, by value. */
async function errorsFor({ field, filledWith }: Place, values: unknown[]) {
	const value = field.type === 'resourceLocator' ? byId(FROM_ITEM) : FROM_ITEM;
	const { output } = await n8n.runNode({
		parameters: filledWith(value),
		items: values.map((item) => (item === undefined ? {} : { value: item as string })),
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output[0]).toEqual([]);
	return output[1].map(({ json, pairedItem }) => {
		const { message, errors, httpCode } = json.error as Record<string, unknown>;
		return { message, errors, httpCode, pairedItem };
	});
}

const refusals = (label: string, values: unknown[], what: (value: unknown) => string) =>
	values.map((value, item) => ({
		message: `'${label}' ${what(value)}`,
		errors: { [label]: [what(value)] },
		httpCode: null,
		pairedItem: { item },
	}));

const isNothing = (value: unknown) => value === '' || value === null || value === undefined;

describe.each(named(PLACES.filter(({ field }) => field.name.endsWith('Id'))))(
	'the ID %s',
	(_name, place) => {
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
				0,
				-1,
				1.5,
				1e21,
				true,
				{ id: 1 },
				[1],
				'',
				null,
				undefined,
			];
			expect(await errorsFor(place, values)).toEqual(
				refusals(place.label, values, (value) =>
					isNothing(value) ? 'is empty' : 'must be an ID: a whole number from 1, such as 42',
				),
			);
			expect(await sent()).toEqual([]);
		});
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
			message:
				"'Campaign ID' must be an ID: a whole number from 1, such as 42 [item 1; went through: 0]",
			description: 'It is: 1e3. Nothing was sent for this item.',
		});
		expect(await sent()).toHaveLength(1);
	});

	it('shows the beginning of a long value only', async () => {
		const { error } = await n8n.runNode({
			parameters: { ...leadPerItem, campaignId: 'x'.repeat(10_000) },
			items: people(1),
		});
		expect(error?.description).toBe(`It is: ${'x'.repeat(60)}…. Nothing was sent for this item.`);
	});
});

const ofType = (type: string) => distinct(PLACES.filter(({ field }) => field.type === type));

describe.each(named(ofType('json')))('the JSON in %s', (_name, place) => {
	it('is refused unless it is an object, and nothing is sent', async () => {
		const noObjects = ['[]', '[1, 2]', '"text"', '12', 'null', 'true', [1]];
		expect(await errorsFor(place, noObjects)).toEqual(
			refusals(place.label, noObjects, () => 'must be a JSON object, such as {"city": "Berlin"}'),
		);
		const invalid = ['{', '{"a":}', "{'a': 1}", 'city: Berlin', '{"a": 1},'];
		const errors = await errorsFor(place, invalid);
		for (const { message } of errors) {
			expect(message).toEqual(expect.stringContaining(`'${place.label}' is not valid JSON (`));
		}
		expect(errors).toHaveLength(invalid.length);
		expect(await sent()).toEqual([]);
	});
});

describe.each(named(ofType('number')))('the number %s', (_name, place) => {
	const {
		minValue: min,
		maxValue: max,
		numberPrecision: precision,
	} = place.field.typeOptions ?? {};
	const step = precision === 0 ? 1 : 0.01;

	it('is refused outside of its limits, and where it is none', async () => {
		const limits =
			max === undefined ? `must be at least ${min}` : `must be between ${min} and ${max}`;
		const outside = [
			...(min === undefined ? [] : [min - step, String(min - step), -1e9]),
			...(max === undefined ? [] : [max + step, String(max + step), 1e9]),
		];
		expect(await errorsFor(place, outside)).toEqual(refusals(place.label, outside, () => limits));

		const none = ['many', '1e1', '0x1', '1,5', '1.', 'NaN', true, [1], {}];
		expect(await errorsFor(place, none)).toEqual(
			refusals(place.label, none, () => 'must be a number'),
		);

		const parts = precision === 0 ? [(min ?? 1) + 0.5, String((min ?? 1) + 0.5)] : [];
		expect(await errorsFor(place, parts)).toEqual(
			refusals(place.label, parts, () => 'must be a whole number'),
		);
		expect(await sent()).toEqual([]);
	});

	it('is taken at its limits, and arrives as a number when it was text', async () => {
		const limits = [min, max].filter((limit) => limit !== undefined);
		for (const value of limits.flatMap((limit) => [limit, String(limit)])) {
			const parameters = place.filledWith(FROM_ITEM);
			const { error } = await n8n.runNode({ parameters, items: [{ value }] });
			expect(error).toBeUndefined();
			const body = JSON.stringify((await sent()).at(-1)?.body ?? {});
			expect(body).not.toContain(`"${value}"`);
			if (place.operation.request.body && place.field.routing) expect(body).toContain(`:${value}`);
		}
	});
});

const withOptions = ofType('options').filter(({ field }) => (field.options ?? []).length > 0);

describe.each(named(withOptions))('the choice %s', (_name, place) => {
	it('is refused unless it is one of the options, which are told', async () => {
		const options = (place.field.options ?? []).map((option) =>
			'value' in option ? option.value : '',
		);
		const values = [
			'something',
			`${options[0]} `,
			String(options[0]).toUpperCase().concat('X'),
			1,
			true,
		];
		expect(await errorsFor(place, values)).toEqual(
			refusals(place.label, values, () => `must be one of: ${options.join(', ')}`),
		);
		expect(await sent()).toEqual([]);
	});
});

describe.each(named(ofType('boolean')))('the switch %s', (_name, place) => {
	it('is refused unless it is true or false', async () => {
		const values = ['yes', 'TRUE', 1, 0, '1', [true]];
		expect(await errorsFor(place, values)).toEqual(
			refusals(place.label, values, () => 'must be true or false'),
		);
		expect(await sent()).toEqual([]);
	});
});

describe.each(named(ofType('dateTime')))('the date %s', (_name, place) => {
	it('is refused unless it is one', async () => {
		const values = [
			'yesterday',
			'31.01.2026',
			'2026-1-5',
			'2026-02-30',
			'2026-13-01',
			20260131,
			{},
		];
		expect(await errorsFor(place, values)).toEqual(
			refusals(place.label, values, () => 'must be a date, such as 2026-01-31'),
		);
		expect(await sent()).toEqual([]);
	});

	it.each([
		['2026-02-03', '2026-02-03'],
		['2026-02-03T23:30:00.000+14:00', '2026-02-03'],
		['={{ DateTime.fromISO("2026-02-03T23:30:00Z", { zone: "utc" }) }}', '2026-02-03'],
		['={{ new Date("2026-02-03T23:30:00Z") }}', '2026-02-03'],
	])('given as %s is sent as a day', async (value, day) => {
		const { error } = await n8n.runNode({ parameters: place.filledWith(value) });
		expect(error).toBeUndefined();
		const [request] = await sent();
		expect(Object.values(request?.query ?? {})).toContain(day);
	});
});

const texts = ofType('string').filter(({ field }) => !field.name.endsWith('Id'));

describe.each(named(texts))('the text %s', (_name, place) => {
	it('is refused when an expression gives an object or a list', async () => {
		const values = [{ a: 1 }, ['a']];
		expect(await errorsFor(place, values)).toEqual(
			refusals(place.label, values, () => 'must be text, not an object or a list'),
		);
		expect(await sent()).toEqual([]);
	});

	it('is refused where it is required and empty, and otherwise not sent', async () => {
		if (place.field.required) {
			const values = ['', null, undefined];
			expect(await errorsFor(place, values)).toEqual(
				refusals(place.label, values, () => 'is empty'),
			);
			expect(await sent()).toEqual([]);
			return;
		}
		// A custom value may be empty; its name may not.
		if (place.label === 'Variables 1 → Value') return;
		for (const value of ['', null]) {
			await n8n.runNode({ parameters: place.filledWith(FROM_ITEM), items: [{ value }] });
		}
		for (const request of await sent()) {
			expect(JSON.stringify(request)).not.toMatch(/:""|:null/);
		}
	});
});

describe('expressions', () => {
	const parameters = (phoneNumber: string): INodeParameters => ({ ...leadPerItem, phoneNumber });

	it('that give nothing are an empty field', async () => {
		const { error } = await n8n.runNode({
			parameters: parameters('={{ $json.person.phone }}'),
			items: people(2),
		});
		expect(error?.message).toBe("'Phone Number' is empty [item 0; no item went through]");
		expect(await sent()).toEqual([]);
	});

	const FAILS_FOR_ITEM_2 = `={{ $json.phone === "${people(3)[2]?.phone}" ? $("Nowhere").item.json.x : $json.phone }}`;

	it('that fail stop the node before anything is sent, in any order', async () => {
		const { error } = await n8n.runNode({
			parameters: parameters(FAILS_FOR_ITEM_2),
			items: people(5),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error).toMatchObject({
			message: "Referenced node doesn't exist",
			context: { itemIndex: 2 },
		});
		expect(await sent()).toEqual([]);
	});

	it('that fail concern one item with continue on fail', async () => {
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

	it('in place of a list are refused', async () => {
		const { error } = await n8n.runNode({
			parameters: {
				...operationNamed('lead: create').parameters,
				additionalFields: { variables: { variable: '={{ [{ name: "a", value: "b" }] }}' } },
			},
		});
		expect(error?.message).toBe("'Variables 1 → Name' is empty [item 0]");
		expect(await sent()).toEqual([]);
	});
});

describe("n8n's Execute Once and Batching", () => {
	it('Execute Once sends the first item only', async () => {
		const { output, error } = await n8n.runNode({
			parameters: leadPerItem,
			items: people(3),
			settings: { executeOnce: true },
		});
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(1);
		expect(await sent()).toHaveLength(1);
	});

	it('Batching sends all items', async () => {
		const batching = { batch: { batchSize: 2, batchInterval: 1 } };
		const { output } = await n8n.runNode({
			parameters: { ...leadPerItem, requestOptions: { batching } },
			items: people(5),
		});
		expect(output[0]).toHaveLength(5);
		expect(await sent()).toHaveLength(5);
	});

	// n8n looks at no item's failure before the last batch has begun; Node would end over one till then.
	it('Batching stops at a failure, and the failure is told once the last batch has begun', async () => {
		await fault({ status: 422, body: { message: 'Validation failed' }, times: 1 });
		const unhandled: unknown[] = [];
		const notice = (reason: unknown) => unhandled.push(reason);
		process.on('unhandledRejection', notice);
		const batching = { batch: { batchSize: 1, batchInterval: 50 } };
		const { error } = await n8n.runNode({
			parameters: { ...leadPerItem, requestOptions: { batching } },
			items: people(4),
		});
		process.off('unhandledRejection', notice);
		expect(error?.message).toBe('Validation failed [item 0; no item went through]');
		expect(await sent()).toHaveLength(1);
		expect(unhandled).toEqual([]);
	});
});

describe('a filter that was added but has no value', () => {
	it.each([
		['phoneNumber', 'Phone Number'],
		['status', 'Status'],
		['type', 'Type'],
		['dateFrom', 'From Date'],
		['dateTo', 'To Date'],
		['campaignId', 'Campaign ID'],
	])('%s is refused instead of reading all calls', async (name, label) => {
		const { error } = await n8n.runNode({
			parameters: {
				...operationNamed('call: getAll').parameters,
				filters: { [name]: '={{ $json.missing }}' },
			},
		});
		expect(error?.message).toBe(`'${label}' is empty [item 0]`);
		expect(await sent()).toEqual([]);
	});
});

describe('an operation that an expression chooses', () => {
	it('is refused, because n8n would ask for the base URL alone', async () => {
		const { parameters } = operationNamed('campaign: start');
		const { error } = await n8n.runNode({
			parameters: { ...parameters, operation: '={{ "start" }}' },
		});
		expect(error?.message).toBe(
			"'Resource' and 'Operation' name no operation of this node [item 0]",
		);
		expect(await sent()).toEqual([]);
	});
});

describe('an update', () => {
	it.each([
		['assistant: update', { updateFields: {} }],
		['assistant: update', { updateFields: { name: '' } }],
		['lead: update', { updateFields: { email: '' } }],
		['tool: update', { updateFields: {} }],
	])('%s of nothing (%j) is refused', async (name, fields) => {
		const { error } = await n8n.runNode({
			parameters: { ...operationNamed(name).parameters, ...fields },
		});
		expect(error).toMatchObject({
			message: 'There is nothing to change, because no field has a value [item 0]',
			description: 'Add at least one field and fill it in. Nothing was sent for this item.',
		});
		expect(await sent()).toEqual([]);
	});
});
