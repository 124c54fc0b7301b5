import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import { idOf } from '../support/sandbox/client.mts';
import { asObject } from '../support/sandbox/contract.mts';
import type { GalleryEnvironment } from './environment.mts';
import { nextExecution } from './nextExecution.mts';
import { openExample, TOKEN } from './openExample.mts';
import { postDelivery } from './postDelivery.mts';
import { untilCallIsHandled } from './untilCallIsHandled.mts';

const ASSISTANT = 5;
const CAMPAIGN = 5;
/** The campaign for warm leads. */
const FOLLOW_UPS = 4;
const ANNA = '+14155550140';
const NOBODY_ANSWERS = '+4915112399901';

type Rating = 'hot' | 'warm' | 'cold';

/** What an assistant noted in a call, also as texts, and what that makes. */
const CALLS: Array<{ id: number; rating: Rating; score: number; values: unknown }> = [
	{
		id: 900_001,
		rating: 'hot',
		score: 94,
		values: { interest: '9', has_budget: 'yes', next_step: 'Send the contract' },
	},
	{
		id: 900_002,
		rating: 'hot',
		score: 70,
		values: { interest: 10, has_budget: false, next_step: 'Show it' },
	},
	{
		id: 900_003,
		rating: 'warm',
		score: 66,
		values: { interest: '6', has_budget: 'true', next_step: '' },
	},
	{
		id: 900_004,
		rating: 'warm',
		score: 40,
		values: { interest: 5, has_budget: 'no', next_step: 'Call in May' },
	},
	{ id: 900_005, rating: 'warm', score: 60, values: { interest: 600, has_budget: null } },
	{ id: 900_006, rating: 'cold', score: 39, values: { interest: 1.5, has_budget: true } },
	{
		id: 900_007,
		rating: 'cold',
		score: 0,
		values: { interest: 'very much', has_budget: 'perhaps' },
	},
	{ id: 900_008, rating: 'cold', score: 0, values: [] },
];

const rated = (rating: Rating) => CALLS.filter((call) => call.rating === rating);
const phoneOf = (id: number) => `+1415555${String(id).slice(-4)}`;

/** From a call to its row, and to what its score leads to. */
export async function scoreCallsAndBranch(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { editor, tables } = environment;
	const example = await openExample(checks, environment, 'Score calls and follow up');
	const { service } = example;
	const { control } = service;

	const deliver = async (calls: typeof CALLS) => {
		for (const { id, values } of calls) {
			await nextExecution(environment, example, async () => {
				const fields = { id, customer_phone: phoneOf(id), extracted_variables: values };
				await postDelivery(service, fields);
			});
		}
	};
	/** The scores in the table, without the call of the sandbox. */
	const scores = async () =>
		(await tables.rows('Call scores'))
			.map(({ call_id, score }) => [call_id, score])
			.filter(([id]) => Number(id) > 900_000);
	const hotEnquiries = async () =>
		(await tables.rows('Hot enquiries'))
			.map(({ call_id, phone_number, next_step, score }) => [
				call_id,
				phone_number,
				next_step,
				score,
			])
			.filter(([id]) => Number(id) > 900_000);
	/** The requests for leads of warm calls: their bodies, and how the service answered. */
	const followUps = async () =>
		(await example.requests('createLead'))
			.map(({ body, status }) => ({ body: asObject(body, 'the body'), status }))
			.filter(({ body }) => body.campaign_id === FOLLOW_UPS && body.phone_number !== ANNA);

	await check('an answered call is a row with what the assistant noted', async () => {
		await example.run('Set up once');
		await example.run('Set up once');
		await example.publish();
		const lead = idOf(
			await service.as(TOKEN).post('/user/lead', {
				campaign_id: CAMPAIGN,
				phone_number: ANNA,
				variables: { customer_name: 'Anna Schmidt' },
			}),
		);
		await nextExecution(environment, example, async () => {
			await control.outbound({ assistant_id: ASSISTANT, to: ANNA, lead_id: lead });
			await control.advance('PT3M');
		});
		const [delivery] = await control.deliveries();
		const [row, ...others] = await tables.rows('Call scores');
		assert.deepEqual(others, []);
		assert.partialDeepStrictEqual(row, {
			call_id: delivery?.call_id,
			name: 'Anna Schmidt',
			phone_number: ANNA,
			...asObject(delivery?.body.extracted_variables, 'the values'),
		});
	});

	await check('a call that nobody answered has no score', async () => {
		const { size } = await editor.executionStates(example.id);
		await control.outbound({ assistant_id: ASSISTANT, to: NOBODY_ANSWERS });
		await control.advance('PT3M');
		assert.equal((await control.deliveries()).at(-1)?.state, 'delivered');
		const { id } = await control.outbound({ assistant_id: ASSISTANT, to: ANNA });
		await control.advance('PT3M');
		await untilCallIsHandled(editor, example.id, 'When a call completes', id);
		assert.equal((await editor.executionStates(example.id)).size, size + 1);
	});

	await check('numbers and booleans that come as texts count', async () => {
		await deliver(CALLS);
		assert.deepEqual(
			await scores(),
			CALLS.map(({ id, score }) => [id, score]),
		);
	});

	await check('hot calls, and no others, are hot enquiries', async () => {
		assert.deepEqual(await hotEnquiries(), [
			[900_001, phoneOf(900_001), 'Send the contract', 94],
			[900_002, phoneOf(900_002), 'Show it', 70],
		]);
	});

	await check('warm calls, and no others, become leads of the other campaign', async () => {
		const requests = await followUps();
		assert.deepEqual(
			requests.map(({ body, status }) => [body.phone_number, status]),
			rated('warm').map(({ id }) => [phoneOf(id), 200]),
		);
		assert.partialDeepStrictEqual(requests[1]?.body, {
			allow_dupplicate: false,
			variables: { next_step: 'Call in May' },
		});
	});

	await check('a scored call that arrives again changes nothing', async () => {
		const before = [await scores(), await hotEnquiries()];
		await deliver(CALLS);
		assert.deepEqual([await scores(), await hotEnquiries()], before);
		assert.deepEqual(
			(await followUps()).map(({ status }) => status),
			[200, 200, 200, 422, 422, 422],
		);
	});

	await example.unpublish();
}
