import assert from 'node:assert/strict';

import { asObject } from '../../sandbox/test/support/contract.mts';
import { checkDoNotCall, DO_NOT_CALL, numbersAddedBy } from './doNotCall.mts';
import { SET_UP } from './example.mts';
import type { Gallery } from './gallery.mts';
import type { Row } from './tables.mts';

const NAME = 'Score calls and follow up';
const ASSISTANT = 5;
const CAMPAIGN = 5;
/** The campaign for warm leads. */
const FOLLOW_UPS = 4;
const ANNA = '+14155550140';
const NOBODY_ANSWERS = '+4915112399901';

/** What an assistant noted in a call, also as texts, and the score that it makes. */
const CALLS: Array<[score: number, values: object]> = [
	[94, { interest: '9', has_budget: 'yes', next_step: 'Send the contract' }],
	[70, { interest: 10, has_budget: false, next_step: 'Show it' }],
	[66, { interest: '6', has_budget: 'true', next_step: '' }],
	[40, { interest: 5, has_budget: 'no', next_step: 'Call in May' }],
	[60, { interest: 600, has_budget: null }],
	[39, { interest: 1.5, has_budget: true }],
	[0, { interest: 'very much', has_budget: 'perhaps' }],
	[0, []],
];
/** The call ids and phone numbers of these calls, and which of them are hot and warm. */
const toId = (index: number) => 900_001 + index;
const toPhone = (index: number) => `+1415555000${index + 1}`;
const HOT = [0, 1];
const WARM = [2, 3, 4];

/** From a call to its row, and to what its score leads to. */
export async function scoreCallsAndBranch(gallery: Gallery): Promise<void> {
	const { check, open, tables } = gallery;
	const example = await open(NAME);
	const { control, next, callOut } = example;

	const deliverAll = async () => {
		for (const [index, [, extracted_variables]] of CALLS.entries()) {
			const call = { id: toId(index), customer_phone: toPhone(index), extracted_variables };
			await next(async () => await example.deliver(call));
		}
	};
	/** The rows of these calls, without those of the sandbox's own ones. */
	const getRows = async (table: string, read: (row: Row) => unknown[]) =>
		(await tables.rows(table)).filter(({ call_id: id }) => Number(id) > 900_000).map(read);
	const scores = async () => await getRows('Call scores', ({ call_id: id, score }) => [id, score]);
	const hotEnquiries = async () =>
		await getRows(
			'Hot enquiries',
			({ call_id: id, phone_number: phone, next_step: step, score }) => [id, phone, step, score],
		);
	/** The requests for leads of warm calls: their bodies, and how the service answered. */
	const followUps = async () =>
		(await example.requests('createLead'))
			.map(({ body, status }) => ({ body: asObject(body, 'the body'), status }))
			.filter(({ body }) => body.campaign_id === FOLLOW_UPS && body.phone_number !== ANNA);

	await check('an answered call is a row with what the assistant noted', async () => {
		await example.setUp();
		await example.publish();
		const lead_id = await example.addLead({
			campaign_id: CAMPAIGN,
			phone_number: ANNA,
			variables: { customer_name: 'Anna Schmidt' },
		});
		await next(async () => await callOut({ assistant_id: ASSISTANT, to: ANNA, lead_id }));
		const [delivery] = await example.ends();
		assert.partialDeepStrictEqual(await tables.row('Call scores', {}), {
			call_id: delivery?.call_id,
			name: 'Anna Schmidt',
			phone_number: ANNA,
			...asObject(delivery?.call.extracted_variables, 'the values'),
		});
	});

	await check('a call that nobody answered has no score', async () => {
		await next(async () => {
			await callOut({ assistant_id: ASSISTANT, to: NOBODY_ANSWERS });
			assert.equal((await control.deliveries()).at(-1)?.state, 'delivered');
			await callOut({ assistant_id: ASSISTANT, to: ANNA });
		});
	});

	await check('numbers and booleans that come as texts count', async () => {
		await deliverAll();
		assert.deepEqual(
			await scores(),
			CALLS.map(([score], index) => [toId(index), score]),
		);
	});

	await check('hot calls, and no others, are hot enquiries', async () => {
		assert.deepEqual(
			await hotEnquiries(),
			HOT.map((index) => [
				toId(index),
				toPhone(index),
				['Send the contract', 'Show it'][index],
				CALLS[index]?.[0],
			]),
		);
	});

	await check('warm calls, and no others, become leads of the other campaign', async () => {
		const requests = await followUps();
		assert.deepEqual(
			requests.map(({ body, status }) => [body.phone_number, status]),
			WARM.map((index) => [toPhone(index), 200]),
		);
		assert.partialDeepStrictEqual(requests[1]?.body, {
			allow_dupplicate: false,
			variables: { next_step: 'Call in May' },
		});
	});

	await check('a scored call that arrives again changes nothing', async () => {
		const before = [await scores(), await hotEnquiries()];
		await deliverAll();
		assert.deepEqual([await scores(), await hotEnquiries()], before);
		assert.deepEqual(
			(await followUps()).map(({ status }) => status),
			[200, 200, 200, ...Array<number>(3).fill(gallery.validationStatus)],
		);
	});

	let id = toId(CALLS.length);
	/** Delivers a call that makes the person a warm lead. */
	const deliverWarm = async (customer_phone: string) => {
		const extracted_variables = { interest: 8 };
		await example.deliver({ id: (id += 1), customer_phone, extracted_variables });
	};
	await checkDoNotCall(
		gallery,
		example,
		async (numbers) =>
			await numbersAddedBy(example, async () => {
				for (const number of numbers) await next(async () => await deliverWarm(number));
			}),
	);

	await check('without the table Do not call, an execution of a warm call fails', async () => {
		await tables.remove(DO_NOT_CALL);
		const added = await numbersAddedBy(example, async () => {
			assert.match(await example.nextError(async () => await deliverWarm(ANNA)), /Do not call/);
		});
		assert.deepEqual(added, []);
		await example.run(SET_UP);
	});
}
