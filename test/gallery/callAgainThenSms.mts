import assert from 'node:assert/strict';

import { DateTime } from 'luxon';
import * as z from 'zod';

import type { Workflow } from '../../host/api/workflow.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { idOf } from '../support/sandbox/client.mts';
import { completeManyCalls } from './completeManyCalls.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample, TOKEN, withParameters, type OpenExample } from './openExample.mts';
import { publishExample } from './publishExample.mts';
import { zoneWhereItIs } from './timeZones.mts';

const NAME = 'Nobody answered: call again, then SMS';
const ASSISTANT = 4;
const CAMPAIGN = 4;
/** The sandbox decides by the last digits. */
const NEVER_ANSWERS = '+4915112399901';
/** Longer than any call of the sandbox takes. */
const A_CALL = 'PT2M';
const LIMIT_MS = 60_000;
const MANY = 1000;

/** Calls again at once, at any hour. */
const AT_ONCE: Record<string, number> = { hours_between_calls: 0, first_hour: 0, last_hour: 24 };

const rules = z.object({
	assignments: z.object({
		assignments: z.array(z.object({ name: z.string(), value: z.unknown() }).passthrough()),
	}),
});
const update = z.object({ status: z.string() });
const waitingExecution = z.object({ waitTill: z.string() });

/** From a call of the sandbox to the next call or the SMS, and everything that ends it before. */
export async function callAgainThenSms(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	await callsAndSms(checks, environment);
	await callingHours(checks, environment);
}

async function callsAndSms(checks: Checks, environment: GalleryEnvironment): Promise<void> {
	const { check } = checks;
	const example = await check(
		'the follow-ups are set up twice, and published',
		async () => await publishExample(checks, environment, NAME, withoutWaiting),
	);
	if (example === undefined) return;
	const { untilEnded } = example;
	const { control } = example.service;

	await check('who never answers is called three times, and then gets one SMS', async () => {
		await setCampaign(example, 'start');
		const leadId = await addLead(example, NEVER_ANSWERS);
		for (const count of [1, 2, 3]) {
			assert.equal((await callsTo(example, NEVER_ANSWERS)).length, count);
			// The count is not in the memory of n8n.
			if (count === 3) await environment.restart();
			await control.advance(A_CALL);
			await untilEnded(1);
		}
		await control.advance('P3D');
		assert.equal((await callsTo(example, NEVER_ANSWERS)).length, 3);
		const messages = await control.messages();
		assert.deepEqual(
			messages.map(({ to, phone_number_id }) => ({ to, phone_number_id })),
			[{ to: NEVER_ANSWERS, phone_number_id: 1 }],
		);
		assert.deepEqual(await statusesSet(example, leadId), [
			'completed',
			'created',
			'completed',
			'created',
			'completed',
		]);
	});

	await check('who answers the second call is called no more, and gets no SMS', async () => {
		const phone = '+4915112345602';
		await setCampaign(example, 'stop');
		const leadId = await addLead(example, phone);
		await callLead(example, phone, leadId, 'no-answer');
		await untilEnded(1);
		await setCampaign(example, 'start');
		await control.advance(A_CALL);
		await untilEnded(1);
		await control.advance('P3D');
		assert.equal((await callsTo(example, phone)).length, 2);
		assert.deepEqual(await statusesSet(example, leadId), ['completed', 'created']);
		assert.deepEqual(await messagesTo(example, phone), []);
		await setCampaign(example, 'stop');
	});

	await check('a voicemail counts as no answer', async () => {
		const phone = '+4915112345603';
		const leadId = await addLead(example, phone);
		await callLead(example, phone, leadId, 'voicemail');
		await untilEnded(1);
		assert.deepEqual(await statusesSet(example, leadId), ['completed', 'created']);
	});

	await check('a call that is delivered twice is followed up once', async () => {
		const phone = '+4915112345605';
		const leadId = await addLead(example, phone);
		await callLead(example, phone, leadId, 'no-answer');
		await untilEnded(1);
		const delivery = (await control.deliveries()).at(-1);
		await control.request('POST', `/deliveries/${delivery?.id}/replay`, {});
		await untilEnded(1);
		assert.deepEqual(await statusesSet(example, leadId), ['completed', 'created']);
	});

	await check('nobody is called again when there was another call in the meantime', async () => {
		const phone = '+4915112345604';
		const leadId = await addLead(example, phone);
		await control.fault({ operation: 'updateLead', delay_ms: 5000 });
		await callLead(example, phone, leadId, 'no-answer');
		await waitFor('the first change of the lead', LIMIT_MS, async () =>
			(await statusesSet(example, leadId)).at(0),
		);
		await control.outbound({ assistant_id: ASSISTANT, to: phone, lead_id: leadId });
		await untilEnded(1);
		assert.deepEqual(await statusesSet(example, leadId), ['completed']);
		await control.advance(A_CALL);
		await untilEnded(1);
		assert.deepEqual(await statusesSet(example, leadId), ['completed']);
	});

	await check('who is on the do-not-call list is not called again, and gets no SMS', async () => {
		const phone = '+4915112345606';
		await environment.tables.insert('Do not call', [{ phone_number: '0151 / 1234 5606' }]);
		const leadId = await addLead(example, phone);
		for (let count = 1; count <= 3; count++) {
			await callLead(example, phone, leadId, 'no-answer');
			await untilEnded(1);
		}
		assert.equal((await callsTo(example, phone)).length, 3);
		assert.deepEqual(await statusesSet(example, leadId), ['completed', 'completed', 'completed']);
		assert.deepEqual(await messagesTo(example, phone), []);
	});

	await check('a call without a lead is not followed up', async () => {
		const before = await control.requests();
		await control.outbound({ assistant_id: ASSISTANT, to: NEVER_ANSWERS });
		await control.advance(A_CALL);
		await untilEnded(1);
		assert.deepEqual((await control.requests()).slice(before.length), []);
	});

	await check(
		'1,000 people whom nobody reached at the same moment are called again once each',
		async () => {
			const before = (await example.requests('updateLead')).length;
			for (let person = 0; person < MANY; person++) {
				const to = `+49151602${10_000 + person}`;
				const lead_id = await addLead(example, to);
				await control.outbound({ assistant_id: ASSISTANT, to, lead_id, scenario: 'no-answer' });
			}
			await completeManyCalls(environment, example);
			const updates = (await example.requests('updateLead')).slice(before);
			const statuses = new Map<string, unknown[]>();
			for (const { path, body } of updates) {
				statuses.set(path, [...(statuses.get(path) ?? []), update.parse(body).status]);
			}
			assert.equal(statuses.size, MANY);
			for (const set of statuses.values()) assert.deepEqual(set, ['completed', 'created']);
		},
	);

	await example.unpublish();
}

async function callingHours(checks: Checks, environment: GalleryEnvironment): Promise<void> {
	const { check } = checks;
	const example = await check('the follow-ups are published with their hours', async () => {
		const opened = await openExample(checks, environment, NAME);
		await opened.publish();
		await setCampaign(opened, 'start');
		return opened;
	});
	if (example === undefined) return;
	const { control } = example.service;
	let waiting = 0;

	/** Calls somebody in vain. @returns when the next call is planned, in their time zone */
	const plannedCall = async (timezone: string): Promise<DateTime> => {
		waiting += 1;
		await addLead(example, `+491511${waiting}99901`, { timezone });
		await control.advance(A_CALL);
		return await endOfWait(environment, example, waiting, timezone);
	};

	await check('in the calling hours of the person, the next call is two hours later', async () => {
		const inTwoHours = DateTime.now().plus({ hours: 2 });
		const time = await plannedCall(zoneWhereItIs(13, inTwoHours));
		assert.ok(isNear(time, inTwoHours), time.toISO() ?? '');
	});

	await check('in the evening of the person, the next call is the next morning', async () => {
		const inTwoHours = DateTime.now().plus({ hours: 2 });
		const zone = zoneWhereItIs(21, inTwoHours);
		const nextDay = inTwoHours.setZone(zone).startOf('day').plus({ days: 1 });
		const time = await plannedCall(zone);
		assert.ok(isNear(time, nextDay.set({ hour: 9 })), time.toISO() ?? '');
	});

	await check('in the night of the person, the next call is that morning', async () => {
		const inTwoHours = DateTime.now().plus({ hours: 2 });
		const zone = zoneWhereItIs(4, inTwoHours);
		const time = await plannedCall(zone);
		const morning = inTwoHours.setZone(zone).startOf('day').set({ hour: 9 });
		assert.ok(isNear(time, morning), time.toISO() ?? '');
	});

	await check('during the wait, the campaign makes no attempts of its own', async () => {
		await control.advance('P1D');
		assert.equal((await control.calls()).length, waiting);
	});

	await check('a lead with an unknown time zone is not called again', async () => {
		const leadId = await addLead(example, NEVER_ANSWERS, { timezone: 'Nowhere/City' });
		await control.advance(A_CALL);
		const [failed] = await example.executions(1);
		assert.equal(failed?.status, 'error');
		assert.match(failed.error ?? '', /not a valid date/);
		assert.deepEqual(await statusesSet(example, leadId), ['completed']);
		await control.advance('P1D');
		assert.equal((await callsTo(example, NEVER_ANSWERS)).length, 1);
	});

	await example.unpublish();

	await check(
		'a wait that ends late, in the night of the person, goes on until the morning',
		async () => {
			// Its first wait ends at once, as the overdue one of an n8n that was down.
			const late = await openExample(checks, environment, NAME, (workflow) =>
				withParameters(workflow, 'Wait until then', {
					dateTime: '={{ $runIndex === 0 ? $now.toISO() : $json.call_again_at }}',
				}),
			);
			await late.publish();
			await setCampaign(late, 'start');
			const zone = zoneWhereItIs(3);
			const leadId = await addLead(late, NEVER_ANSWERS, { timezone: zone });
			await late.service.control.advance(A_CALL);
			const time = await endOfWait(environment, late, 1, zone);
			const morning = DateTime.now().setZone(zone).startOf('day').set({ hour: 9 });
			assert.ok(isNear(time, morning), time.toISO() ?? '');
			assert.deepEqual(await statusesSet(late, leadId), ['completed']);
			await late.unpublish();
		},
	);
}

function withoutWaiting(workflow: Workflow): Workflow {
	const node = workflow.nodes.find(({ name }) => name === 'Calling rules');
	const { assignments } = rules.parse(node?.parameters).assignments;
	const changed = assignments.map((rule) => ({ ...rule, value: AT_ONCE[rule.name] ?? rule.value }));
	return withParameters(workflow, 'Calling rules', { assignments: { assignments: changed } });
}

/** Waits until so many executions wait. @returns until when the last one waits, in this time zone */
async function endOfWait(
	{ editor }: GalleryEnvironment,
	example: OpenExample,
	count: number,
	zone: string,
): Promise<DateTime> {
	const id = await waitFor('an execution to wait', LIMIT_MS, async () => {
		const states = [...(await editor.executionStates(example.id))];
		const ids = states.flatMap(([id, status]) => (status === 'waiting' ? [Number(id)] : []));
		return ids.length === count ? Math.max(...ids) : undefined;
	});
	const { waitTill } = await editor.rest.call(waitingExecution, 'GET', `/executions/${id}`);
	return DateTime.fromISO(waitTill, { zone });
}

const isNear = (time: DateTime, expected: DateTime): boolean =>
	Math.abs(time.diff(expected, 'minutes').minutes) < 5;

async function addLead(
	{ service }: OpenExample,
	phone_number: string,
	variables: Record<string, string> = {},
): Promise<number> {
	const lead = { phone_number, campaign_id: CAMPAIGN, variables };
	return idOf(await service.as(TOKEN).post('/user/lead', lead));
}

async function setCampaign({ service }: OpenExample, action: 'start' | 'stop'): Promise<void> {
	const body = { campaign_id: CAMPAIGN, action };
	await service.as(TOKEN).post('/user/campaigns/update-status', body);
}

async function callLead(
	{ service: { control } }: OpenExample,
	to: string,
	lead_id: number,
	scenario: string,
): Promise<void> {
	await control.outbound({ assistant_id: ASSISTANT, to, lead_id, scenario });
	await control.advance(A_CALL);
}

const callsTo = async ({ service }: OpenExample, phone: string) =>
	(await service.control.calls()).filter((call) => call.client_phone_number === phone);

const messagesTo = async ({ service }: OpenExample, phone: string) =>
	(await service.control.messages()).filter(({ to }) => to === phone);

/** The values of *Status* that the workflow sent for a lead. */
async function statusesSet({ requests }: OpenExample, leadId: number): Promise<unknown[]> {
	return (await requests('updateLead'))
		.filter(({ path }) => path.endsWith(`/${leadId}`))
		.map(({ body }) => update.parse(body).status);
}
