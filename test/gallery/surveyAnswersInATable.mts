import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { waitFor } from '../../host/process/wait.mts';
import { untilNextPoll } from '../e2e/pollTrigger.mts';
import type { Checks } from '../support/checks.mts';
import { idOf } from '../support/sandbox/client.mts';
import { asObject } from '../support/sandbox/contract.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { completeManyCalls } from './completeManyCalls.mts';
import type { GalleryEnvironment } from './environment.mts';
import { nextExecution } from './nextExecution.mts';
import { openExample, TOKEN, withParameters, type OpenExample } from './openExample.mts';
import { postDelivery } from './postDelivery.mts';
import type { Row } from './tables.mts';
import { zoneWhereItIs } from './timeZones.mts';
import { untilRows } from './untilRows.mts';
import { LARGE_RUN_LIMIT_MS, withHealthProbe } from './withHealthProbe.mts';

const PEOPLE = 'Survey people';
const ANSWERS = 'Survey answers';
const ASSISTANT = 6;
const CAMPAIGN = 6;
const FORM = 'When you start the survey';
/** Nobody answers. */
const CLEO = '+4915112399901';

const MANY_PEOPLE = 1000;
/** The longest time in which n8n may answer nobody. */
const LONGEST_SILENCE_MS = 5000;
const MANY_CALLS = 200;

/** People for the table. */
const people = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		name: `Person ${index}`,
		phone_number: `+1415556${String(index).padStart(4, '0')}`,
	}));

/** From the form to the leads and the campaign, and from their calls to the rows of answers. */
export async function surveyAnswersInATable(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { tables } = environment;

	/** The example of somebody for whose people it is this hour now. */
	const openSurvey = async (hour: number) => {
		const webhookId = randomUUID();
		const hours = [
			{ id: 'f1', name: 'time_zone', type: 'string', value: zoneWhereItIs(hour) },
			{ id: 'f2', name: 'from_hour', type: 'number', value: 9 },
			{ id: 'f3', name: 'until_hour', type: 'number', value: 20 },
		];
		const example = await openExample(checks, environment, 'Survey: answers as rows', (source) => {
			const assignments = { assignments: { assignments: hours } };
			const atThisHour = withParameters(source, 'Calling hours', assignments);
			const polls = { pollTimes: ONCE_A_YEAR };
			const workflow = withParameters(atThisHour, 'Survey calls of the last minutes', polls);
			const nodes = workflow.nodes.map((node) =>
				node.name === FORM ? { ...node, webhookId } : node,
			);
			return { ...workflow, nodes };
		});
		/** Sends the form. */
		const start = async () => {
			const body = new FormData();
			body.set('field-0', 'Yes, call them');
			const url = `${environment.url}/form/${webhookId}`;
			assert.equal((await fetch(url, { method: 'POST', body })).status, 200);
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

	await check('the set-up gives the survey two people, however often it runs', async () => {
		const example = await openSurvey(12);
		await example.run('Set up once');
		await example.run('Set up once');
		assert.equal((await tables.rows(PEOPLE)).length, 2);
		assert.deepEqual(await tables.rows(ANSWERS), []);
	});

	await check('outside the calling hours, no survey starts and nobody becomes a lead', async () => {
		const example = await openSurvey(3);
		await example.publish();
		const { status, error } = await nextExecution(environment, example, example.start);
		assert.equal(status, 'error');
		assert.match(error ?? '', /Nobody is called now: it is 0[34]:\d\d in Etc/);
		assert.deepEqual([await leadRequests(example), await starts(example)], [[], 0]);
		await example.unpublish();
	});

	const example = await openSurvey(12);
	const { service } = example;
	const { control } = service;

	await check('a survey that is started twice calls each person once', async () => {
		await tables.insert(PEOPLE, [{ name: 'Cleo Weber', phone_number: CLEO }]);
		await example.publish();
		await nextExecution(environment, example, example.start);
		assert.deepEqual([await leadRequests(example), await starts(example)], [[200, 200, 200], 1]);
		const { status } = await nextExecution(environment, example, example.start);
		assert.equal(status, 'success');
		assert.deepEqual(
			[await leadRequests(example), await starts(example)],
			[[200, 200, 200, 422, 422, 422], 1],
		);
		const called = (await control.calls()).map(({ client_phone_number: number }) => number);
		assert.deepEqual(called.sort(), ['+14155550123', '+14155550124', CLEO]);
	});

	await check('each called person is a row, with answers if somebody answered', async () => {
		await control.advance('PT3M');
		const rows = await untilRows(tables, ANSWERS, 3);
		const none = { satisfaction: null, would_recommend: null, suggestion: null };
		const answersOf = (variables: unknown) => ({ ...none, ...asObject(variables, 'the answers') });
		const expected = (await control.calls()).map((call) => ({
			lead_id: call.lead_id,
			phone_number: call.client_phone_number,
			outcome: call.client_phone_number === CLEO ? 'no-answer' : 'answered',
			...answersOf(call.variables),
		}));
		assert.partialDeepStrictEqual(byLead(rows), byLead(expected));
		assert.deepEqual(rows.map(({ name }) => name).sort(), [
			'Anna Schmidt',
			'Ben Miller',
			'Cleo Weber',
		]);
	});

	await check('the poll of the survey writes the same rows', async () => {
		const withoutTime = async () =>
			(await tables.rows(ANSWERS)).map((row) => ({ ...row, updatedAt: undefined }));
		const before = await withoutTime();
		await nextExecution(environment, example, example.poll);
		assert.deepEqual(await withoutTime(), before);
	});

	await check('another attempt to reach a person writes over the same row', async () => {
		const rowOfCleo = async () =>
			(await tables.rows(ANSWERS)).filter(({ phone_number: number }) => number === CLEO);
		const [before] = await rowOfCleo();
		await nextExecution(environment, example, async () => {
			await control.advance('PT2H');
		});
		const [after, ...others] = await rowOfCleo();
		assert.deepEqual(others, []);
		assert.equal(after?.lead_id, before?.lead_id);
		assert.notEqual(after?.asked_at, before?.asked_at);
	});

	await check('answers that come as texts are numbers and booleans, or stay empty', async () => {
		const deliver = async (id: number, answers: object) => {
			const fields = { id, customer_phone: `+1415555${id % 10_000}`, extracted_variables: answers };
			await nextExecution(environment, example, async () => {
				await postDelivery(service, fields);
			});
			const { satisfaction, would_recommend: recommends } =
				(await tables.rows(ANSWERS)).at(-1) ?? {};
			return [satisfaction, recommends];
		};
		assert.deepEqual(await deliver(902_001, { satisfaction: '9', would_recommend: 'Yes' }), [
			9,
			true,
		]);
		assert.deepEqual(await deliver(902_002, { satisfaction: 7, would_recommend: false }), [
			7,
			false,
		]);
		assert.deepEqual(await deliver(902_003, { satisfaction: 'good', would_recommend: 'perhaps' }), [
			null,
			null,
		]);
	});

	await check('a wrong phone number stops the survey before its start', async () => {
		await tables.insert(PEOPLE, [
			{ name: 'No number', phone_number: '12' },
			{ name: 'Dora Klein', phone_number: '+14155550125' },
		]);
		const { status } = await nextExecution(environment, example, example.start);
		assert.equal(status, 'error');
		assert.equal(await starts(example), 1);
		await example.unpublish();
	});

	await check('1,000 people become leads once, and n8n goes on answering', async () => {
		await tables.remove(PEOPLE);
		const many = await openSurvey(12);
		await many.run('Set up once');
		await tables.insert(PEOPLE, people(MANY_PEOPLE - 2));
		await many.publish();
		await withHealthProbe(
			environment,
			async () => {
				await many.start();
				await waitFor('the campaign to start', LARGE_RUN_LIMIT_MS, async () =>
					(await starts(many)) > 0 ? true : undefined,
				);
			},
			LONGEST_SILENCE_MS,
		);
		await many.unpublish();
		const statuses = await leadRequests(many);
		assert.equal(statuses.length, MANY_PEOPLE);
		assert.deepEqual([...new Set(statuses)], [200]);
		assert.equal(await starts(many), 1);
	});

	await check('200 survey calls that end at once are 200 rows', async () => {
		await tables.remove(ANSWERS);
		const many = await openSurvey(12);
		await many.run('Set up once');
		await many.publish();
		const account = many.service.as(TOKEN);
		for (const { phone_number: to } of people(MANY_CALLS)) {
			const lead = { campaign_id: CAMPAIGN, phone_number: to };
			const id = idOf(await account.post('/user/lead', lead));
			const callee = { to: String(to), lead_id: id };
			await many.service.control.outbound({ assistant_id: ASSISTANT, ...callee });
		}
		await completeManyCalls(environment, many);
		await many.poll();
		const rows = await untilRows(tables, ANSWERS, MANY_CALLS);
		const numbers = rows.map(({ phone_number: number }) => String(number));
		assert.deepEqual(
			numbers.sort(),
			people(MANY_CALLS).map(({ phone_number: number }) => number),
		);
		assert.deepEqual([...new Set(rows.map(({ outcome }) => outcome))], ['answered']);
		await many.unpublish();
	});
}

/** How the service answered the requests for leads, in their order. */
const leadRequests = async ({ requests }: OpenExample): Promise<unknown[]> =>
	(await requests('createLead')).map(({ status }) => status);

/** How often the campaign was started. */
const starts = async ({ requests }: OpenExample): Promise<number> =>
	(await requests('updateCampaignStatus')).length;

const byLead = <T extends { lead_id?: unknown }>(rows: T[]): T[] =>
	[...rows].sort((a, b) => Number(a.lead_id) - Number(b.lead_id));
