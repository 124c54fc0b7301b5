import assert from 'node:assert/strict';

import type { ChosenValues } from '../../sandbox/client.mts';
import type { Checks } from '../support/checks.mts';
import { idOf } from '../support/sandbox/client.mts';
import type { GalleryEnvironment } from './environment.mts';
import { TOKEN } from './openExample.mts';
import { publishExample } from './publishExample.mts';
import { postDelivery } from './postDelivery.mts';

const NAME = 'Stop calling who opts out';
const TABLE = 'Do not call';
const ASSISTANT = 12;
const CAMPAIGN = 12;
/** Longer than any call of the sandbox takes. */
const A_CALL = 'PT2M';

/** From a call of the sandbox to the list, and to the lead that is called no more. */
export async function stopCallingWhoOptsOut(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { tables } = environment;
	const example = await check(
		'the do-not-call list is set up twice, and published',
		async () => await publishExample(checks, environment, NAME),
	);
	if (example === undefined) return;
	const { untilEnded } = example;
	const { control } = example.service;
	const service = example.service.as(TOKEN);
	let numbers = 0;
	const nextNumber = () => `+491511234${(numbers += 1) + 6000}`;
	const listed = async (phone: string) =>
		(await tables.rows(TABLE)).filter(({ phone_number }) => phone_number === phone);
	const updates = async () => await example.requests('updateLead');

	/** Makes a call, which ends. @returns the delivery of the call */
	const talkTo = async (to: string, values?: ChosenValues, lead_id?: number) => {
		const { id } = await control.outbound({ assistant_id: ASSISTANT, to, lead_id, values });
		// The lead shall be called again after this call, so that the workflow has to prevent it.
		if (lead_id !== undefined) await service.put(`/user/leads/${lead_id}`, { status: 'created' });
		await control.advance(A_CALL);
		await untilEnded(1);
		const delivery = (await control.deliveries()).find(({ call_id }) => call_id === id);
		assert.ok(delivery);
		return delivery;
	};
	const talkToLead = async (values?: ChosenValues) => {
		const phone = nextNumber();
		const leadId = idOf(
			await service.post('/user/lead', { phone_number: phone, campaign_id: CAMPAIGN }),
		);
		return { phone, delivery: await talkTo(phone, values, leadId) };
	};

	const optedOut = await check(
		'a number is on the list when the person wants no more calls',
		async () => {
			const call = await talkToLead({ wants_no_calls: true });
			const [row, ...others] = await listed(call.phone);
			assert.equal(row?.reason, `Said so in call ${call.delivery.call_id}`);
			assert.equal(typeof row.since, 'string');
			assert.deepEqual(others, []);
			return call;
		},
	);

	const stayed: string[] = [];
	await check('a number is not on the list when the person said nothing of that kind', async () => {
		const { phone } = await talkToLead({ wants_no_calls: false });
		assert.deepEqual(await listed(phone), []);
		stayed.push(phone);
	});

	await check('the same person opts out again, and is on the list once', async () => {
		assert.ok(optedOut);
		await control.request('POST', `/deliveries/${optedOut.delivery.id}/replay`, {});
		await untilEnded(1);
		assert.equal((await listed(optedOut.phone)).length, 1);
	});

	await check('who opts out in a call without a lead is on the list too', async () => {
		const phone = nextNumber();
		const before = await updates();
		await talkTo(phone, { wants_no_calls: true });
		assert.equal((await listed(phone)).length, 1);
		assert.equal((await updates()).length, before.length);
	});

	await check('an answer that comes as a text counts only if it is yes', async () => {
		const timesListed = async (wants_no_calls: string) => {
			const phone = nextNumber();
			const fields = { customer_phone: phone, lead: null, extracted_variables: { wants_no_calls } };
			await postDelivery(example.service, fields);
			await untilEnded(1);
			return (await listed(phone)).length;
		};
		assert.equal(await timesListed('no'), 0);
		assert.equal(await timesListed('Yes'), 1);
	});

	await check('nothing happens when the assistant finds nothing out', async () => {
		await service.put(`/user/assistant/${ASSISTANT}`, { post_call_schema: [] });
		const rows = await tables.rows(TABLE);
		const { phone, delivery } = await talkToLead();
		assert.deepEqual(delivery.body.extracted_variables, {});
		assert.deepEqual(await tables.rows(TABLE), rows);
		stayed.push(phone);
	});

	await check('the campaign calls again only those who have not opted out', async () => {
		await example.unpublish();
		const before = (await control.calls()).length;
		await service.post('/user/campaigns/update-status', { campaign_id: CAMPAIGN, action: 'start' });
		await control.advance('P1D');
		const called = (await control.calls()).slice(before).map((call) => call.client_phone_number);
		assert.deepEqual(called, stayed);
	});
}
