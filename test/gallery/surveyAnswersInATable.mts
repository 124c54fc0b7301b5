import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { waitFor } from '../../host/process/wait.mts';
import { untilNextPoll } from '../e2e/calls.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { checkDoNotCall, numbersAddedBy } from './doNotCall.mts';
import {
	A_CALL,
	NO_TIMEOUTS,
	withNode,
	withParameters,
	withText,
	type Example,
} from './example.mts';
import type { Gallery } from './gallery.mts';
import { endCallsWithProbe, withHealthProbe } from './largeRuns.mts';
import type { Row } from './tables.mts';
import { zoneWhereItIs } from './timeZones.mts';

const NAME = 'Survey: answers as rows';
const PEOPLE = 'Survey people';
const ANSWERS = 'Survey answers';
const ASSISTANT = 6;
const CAMPAIGN = 6;
/** Nobody answers. */
const CLEO = '+4915112399901';
const LIMIT_MS = 240_000;

const MANY_PEOPLE = 1000;

/** People for the table. */
const people = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		name: `Person ${index}`,
		phone_number: `+1415556${String(index).padStart(4, '0')}`,
	}));

/** How the service answered the requests for leads, and how often the campaign was started. */
async function leadsAndStarts({ requests }: Example): Promise<[leads: unknown[], starts: number]> {
	const leads = (await requests('createLead')).map(({ status }) => status);
	return [leads, (await requests('updateCampaignStatus')).length];
}

/** From the form to the leads and the campaign, and from their calls to the rows of answers. */
export async function surveyAnswersInATable(gallery: Gallery): Promise<void> {
	const { check, isLarge, largeCheck, open, tables, url } = gallery;

	/** The example of somebody for whose people it is this hour now. */
	const openSurvey = async (hour: number) => {
		const webhookId = randomUUID();
		const changes = [
			withText('Europe/Berlin', () => zoneWhereItIs(hour)),
			withParameters('Survey calls of the last minutes', { pollTimes: ONCE_A_YEAR }),
			withNode('When you start the survey', () => ({ webhookId })),
		];
		const example = await open(NAME, changes, [], NO_TIMEOUTS);
		/** Sends the form. */
		const start = async () => {
			const body = new FormData();
			body.set('field-0', 'Yes, call them');
			const { status } = await fetch(`${url}/form/${webhookId}`, { method: 'POST', body });
			assert.equal(status, 200);
		};
		/** Has n8n poll, which it does whenever it publishes the workflow. */
		const poll = async () => {
			await untilNextPoll(example.service, async () => {
				await example.unpublish();
				await example.publish();
			});
		};
		return { ...example, start, poll };
	};
	const answerRow = async (phone: string) => await tables.row(ANSWERS, { phone_number: phone });

	await check('the set-up gives the survey two people, however often it runs', async () => {
		await (await openSurvey(12)).setUp();
		assert.equal((await tables.rows(PEOPLE)).length, 2);
		assert.deepEqual(await tables.rows(ANSWERS), []);
	});

	await check('outside the calling hours, no survey starts and nobody becomes a lead', async () => {
		const example = await openSurvey(3);
		await example.publish();
		const error = await example.nextError(example.start);
		assert.match(error, /Nobody is called now: it is 0[34]:\d\d in Etc/);
		assert.deepEqual(await leadsAndStarts(example), [[], 0]);
	});

	const example = await openSurvey(12);
	const { control, next } = example;

	await check('a survey that is started twice calls each person once', async () => {
		await tables.insert(PEOPLE, [{ name: 'Cleo Weber', phone_number: CLEO }]);
		await example.publish();
		await next(example.start);
		assert.deepEqual(await leadsAndStarts(example), [[200, 200, 200], 1]);
		await next(example.start);
		assert.deepEqual(await leadsAndStarts(example), [
			[200, 200, 200, ...Array<number>(3).fill(gallery.validationStatus)],
			1,
		]);
		const called = await example.numbersCalled();
		assert.deepEqual(called.sort(), ['+14155550123', '+14155550124', CLEO]);
	});

	await check('each called person is a row, with answers if somebody answered', async () => {
		await next(async () => await control.advance(A_CALL), 3);
		for (const call of await control.calls()) {
			const phone = String(call.client_phone_number);
			const none = { satisfaction: null, would_recommend: null, suggestion: null };
			assert.partialDeepStrictEqual(await answerRow(phone), {
				lead_id: call.lead_id,
				outcome: phone === CLEO ? 'no-answer' : 'answered',
				...none,
				...asObject(call.variables, 'the answers'),
			});
		}
		const names = (await tables.rows(ANSWERS)).map(({ name }) => name);
		assert.deepEqual(names.sort(), ['Anna Schmidt', 'Ben Miller', 'Cleo Weber']);
	});

	await check('the poll of the survey writes the same rows', async () => {
		const withoutTime = async () =>
			(await tables.rows(ANSWERS)).map((row) => ({ ...row, updatedAt: undefined }));
		const before = await withoutTime();
		await next(example.poll);
		assert.deepEqual(await withoutTime(), before);
	});

	await check('another attempt to reach a person writes over the same row', async () => {
		const before = await answerRow(CLEO);
		await next(async () => await control.advance('PT1H'));
		const after = await answerRow(CLEO);
		assert.equal(after.lead_id, before.lead_id);
		assert.notEqual(after.asked_at, before.asked_at);
	});

	await check('answers that come as texts are numbers and booleans, or stay empty', async () => {
		for (const [index, [satisfaction, would_recommend, ...expected]] of (
			[
				['9', 'Yes', 9, true],
				[7, false, 7, false],
				['good', 'perhaps', null, null],
			] as const
		).entries()) {
			const customer_phone = `+1415555200${index}`;
			const extracted_variables = { satisfaction, would_recommend };
			const call = { id: 902_001 + index, customer_phone, extracted_variables };
			await next(async () => await example.deliver(call));
			const row = await answerRow(customer_phone);
			assert.deepEqual([row.satisfaction, row.would_recommend], expected);
		}
	});

	await checkDoNotCall(gallery, example, async (numbers) => {
		await tables.insert(
			PEOPLE,
			numbers.map((phone_number) => ({ name: 'Somebody', phone_number })),
		);
		return await numbersAddedBy(example, async () => await next(example.start));
	});

	await check('a wrong phone number stops the survey before its start', async () => {
		await tables.insert(PEOPLE, [
			{ name: 'No number', phone_number: '12' },
			{ name: 'Dora Klein', phone_number: '+14155550125' },
		]);
		await example.nextError(example.start);
		const [, starts] = await leadsAndStarts(example);
		assert.equal(starts, 3);
	});

	await check('1,000 people become leads once, and n8n goes on answering', async () => {
		await tables.remove(PEOPLE);
		const many = await openSurvey(12);
		await many.setUp();
		await tables.insert(PEOPLE, people(MANY_PEOPLE - 2));
		await many.publish();
		await withHealthProbe(gallery, many, many.start);
		assert.deepEqual(await leadsAndStarts(many), [Array(MANY_PEOPLE).fill(200), 1]);
	});

	const callsAtOnce = isLarge ? 1000 : 200;
	await largeCheck(`${callsAtOnce} survey calls that end at once are as many rows`, async () => {
		await tables.remove(ANSWERS);
		const many = await openSurvey(12);
		await many.setUp();
		await many.publish();
		for (const { phone_number: to } of people(callsAtOnce)) {
			const lead_id = await many.addLead({ campaign_id: CAMPAIGN, phone_number: to });
			await many.control.outbound({ assistant_id: ASSISTANT, to: String(to), lead_id });
		}
		await endCallsWithProbe(gallery, many, callsAtOnce);
		await many.poll();
		const rows = await waitFor('a row of each call', LIMIT_MS, async () => {
			const present = await tables.rows(ANSWERS);
			return present.length >= callsAtOnce ? present : undefined;
		});
		assert.deepEqual(
			rows
				.map(({ phone_number: number, outcome }) => `${String(number)} ${String(outcome)}`)
				.sort(),
			people(callsAtOnce).map(({ phone_number: number }) => `${String(number)} answered`),
		);
	});
}
