import assert from 'node:assert/strict';

import { SET_UP } from '../../host/n8n/examples.mts';
import type { ChosenValues } from '../../sandbox/client.mts';
import { A_CALL, withNode, withParameters, type Change } from './example.mts';
import type { Gallery } from './gallery.mts';
import { textsToEnter, toColumns, withConditions, withoutNodes } from './variants.mts';

const TABLE = 'Do not call';
const ASSISTANT = 12;
const CAMPAIGN = 12;

const NAME = 'Stop calling who opts out';
const HOT = 'Hot enquiries';
const TRIGGER = 'When a call completes';

/** Two who want no calls, and one who does not say so. */
const CALLS = [true, true, false].map((wants_no_calls, index) => ({
	assistant_id: ASSISTANT,
	client_phone_number: `+4915112347${100 + index}`,
	ago: `PT${index + 1}H`,
	status: 'completed',
	duration: 60,
	variables: { wants_no_calls },
}));

/** Several calls come as items of one execution, as from a Poll Trigger. */
const withSeveralCalls: Change[] = [
	withNode(TRIGGER, () => ({
		type: 'n8n-nodes-voice-assistant-calling.voiceAssistantCalling',
		typeVersion: 1,
		parameters: { resource: 'call', operation: 'getAll', returnAll: true },
	})),
	(workflow) => ({
		...workflow,
		connections: {
			...workflow.connections,
			[SET_UP]: { main: [[{ node: TRIGGER, type: 'main', index: 0 }]] },
		},
	}),
];

/** From a call of the sandbox to the list, and to the lead that is called no more. */
export async function stopCallingWhoOptsOut({ check, open, tables }: Gallery): Promise<void> {
	const example = await open(NAME);
	const { account, control, next } = example;
	await example.setUp();
	await example.publish();

	let numbers = 0;
	const nextNumber = () => `+491511234${(numbers += 1) + 6000}`;
	/** How often a number is on the list. */
	const timesListed = async (phone: string) =>
		(await tables.rows(TABLE, { phone_number: phone })).length;

	/** Makes a call, which ends. @returns the delivery of the call */
	const talkTo = async (to: string, values?: ChosenValues, lead_id?: number) => {
		await next(async () => {
			await control.outbound({ assistant_id: ASSISTANT, to, lead_id, values });
			// The lead shall be called again after this call, so that the workflow has to prevent it.
			if (lead_id !== undefined) await account.put(`/user/leads/${lead_id}`, { status: 'created' });
			await control.advance(A_CALL);
		});
		const delivery = (await example.ends()).at(-1);
		assert.ok(delivery);
		return delivery;
	};
	const talkToLead = async (values?: ChosenValues) => {
		const phone = nextNumber();
		const lead = await example.addLead({ phone_number: phone, campaign_id: CAMPAIGN });
		return { phone, delivery: await talkTo(phone, values, lead) };
	};

	await check('who wants no more calls, and says so again, is on the list once', async () => {
		const { phone, delivery } = await talkToLead({ wants_no_calls: true });
		const row = await tables.row(TABLE, { phone_number: phone });
		assert.equal(row.reason, `Said so in call ${delivery.call_id}`);
		assert.equal(typeof row.since, 'string');
		await next(async () => await example.replay());
		assert.equal(await timesListed(phone), 1);
	});

	const stayed: string[] = [];
	await check('a number is not on the list when the person said nothing of that kind', async () => {
		const { phone } = await talkToLead({ wants_no_calls: false });
		assert.equal(await timesListed(phone), 0);
		stayed.push(phone);
	});

	await check('who opts out in a call without a lead is on the list too', async () => {
		const phone = nextNumber();
		const before = await control.requests();
		await talkTo(phone, { wants_no_calls: true });
		assert.equal(await timesListed(phone), 1);
		assert.deepEqual(await control.requests(), before);
	});

	await check('an answer that comes as a text counts only if it is yes', async () => {
		for (const [wants_no_calls, times] of [
			['no', 0],
			['Yes', 1],
		] as const) {
			const customer_phone = nextNumber();
			const call = { customer_phone, lead: null, extracted_variables: { wants_no_calls } };
			await next(async () => await example.deliver(call));
			assert.equal(await timesListed(customer_phone), times);
		}
	});

	await check('nothing happens when the assistant finds nothing out', async () => {
		await account.put(`/user/assistant/${ASSISTANT}`, { post_call_schema: [] });
		const rows = await tables.rows(TABLE);
		const { phone, delivery } = await talkToLead();
		assert.deepEqual(delivery.call.extracted_variables, {});
		assert.deepEqual(await tables.rows(TABLE), rows);
		stayed.push(phone);
	});

	await check('the campaign calls again only those who have not opted out', async () => {
		await example.unpublish();
		const before = (await control.calls()).length;
		await account.post('/user/campaigns/update-status', { campaign_id: CAMPAIGN, action: 'start' });
		await control.advance('P1D');
		assert.deepEqual((await example.numbersCalled()).slice(before), stayed);
	});

	await check('of several calls at once, each number is on the list', async () => {
		const several = await open(NAME, withSeveralCalls, CALLS);
		await several.run(SET_UP);
		const listed = await Promise.all(
			CALLS.map(async ({ client_phone_number: phone }) => await timesListed(phone)),
		);
		assert.deepEqual(listed, [1, 1, 0]);
	});

	await check('changed as its page says, it scores calls, and hot ones are rows', async () => {
		const [score, reason] = textsToEnter('stop-calling-who-opts-out', 'Score calls and follow up');
		const isHot = {
			id: 'score',
			leftValue: score,
			rightValue: 70,
			operator: { type: 'number', operation: 'gte' },
		};
		const phone_number = `={{ $('${TRIGGER}').item.json.client_phone_number }}`;
		const scoring = await open(NAME, [
			withConditions('Wants no more calls?', ([, ...others]) => [isHot, ...others]),
			withParameters('Create Do not call', { tableName: HOT }),
			withParameters('List the number', {
				dataTableId: { __rl: true, mode: 'name', value: HOT },
				...toColumns({ phone_number, since: '={{ $now.toISO() }}', reason }),
			}),
			withoutNodes(['Was it a lead?', 'Stop calls to the lead']),
		]);
		await scoring.setUp();
		await scoring.publish();
		await scoring.next(
			async () => await scoring.callOut({ assistant_id: ASSISTANT, to: nextNumber() }),
		);
		const hot = new Map<string, unknown>();
		for (const [values, isRow] of [
			[{ interest: '9', has_budget: 'yes', next_step: 'Send the contract' }, true],
			[{ interest: 10, has_budget: false, next_step: 'Show it' }, true],
			[{ interest: '6', has_budget: 'true', next_step: '' }, false],
			[{ interest: 600, has_budget: null }, false],
			[{ interest: 'very much', has_budget: 'perhaps' }, false],
			[[], false],
		] as const) {
			const customer_phone = nextNumber();
			if (isRow) hot.set(customer_phone, values.next_step);
			const call = { customer_phone, extracted_variables: values };
			await scoring.next(async () => await scoring.deliver(call));
		}
		const rows = await tables.rows(HOT);
		assert.deepEqual(
			new Map(rows.map(({ phone_number: phone, reason: step }) => [phone, step])),
			hot,
		);
	});
}
