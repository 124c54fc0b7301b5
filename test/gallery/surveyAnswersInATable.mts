import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { waitFor } from '../../host/process/wait.mts';
import { startHealthProbe } from '../bench/healthProbe.mts';
import type { Checks } from '../support/checks.mts';
import { idOf } from '../support/sandbox/client.mts';
import { asObject } from '../support/sandbox/contract.mts';
import type { GalleryEnvironment } from './environment.mts';
import { nextExecution } from './nextExecution.mts';
import { openExample, TOKEN, withParameters, type OpenExample } from './openExample.mts';
import { postDelivery } from './postDelivery.mts';
import { untilRows } from './untilRows.mts';

const PEOPLE = 'Survey people';
const ANSWERS = 'Survey answers';
const ASSISTANT = 6;
const CAMPAIGN = 6;
const FORM = 'When you start the survey';

const MANY_PEOPLE = 1000;
const MANY_LIMIT_MS = 240_000;
/** n8n runs other workflows and answers webhooks in between. */
const LONGEST_SILENCE_MS = 5000;
const MANY_CALLS = 200;

/** A time zone in which it is this hour now. The sign in its name is the opposite of the usual one. */
function zoneAt(hour: number): string {
	const east = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
	return east > 0 ? `Etc/GMT-${east}` : `Etc/GMT+${-east}`;
}

/** From the form to the leads and the campaign, and from their calls to the rows of answers. */
export async function surveyAnswersInATable(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { tables } = environment;

	/** The example of somebody for whose people it is this hour now, and the address of its form. */
	const openSurvey = async (hour: number) => {
		const webhookId = randomUUID();
		const hours = [
			{ id: 'f1', name: 'time_zone', type: 'string', value: zoneAt(hour) },
			{ id: 'f2', name: 'from_hour', type: 'number', value: 9 },
			{ id: 'f3', name: 'until_hour', type: 'number', value: 20 },
		];
		const example = await openExample(checks, environment, 'Survey: answers as rows', (source) => {
			const workflow = withParameters(source, 'Calling hours', {
				assignments: { assignments: hours },
			});
			const nodes = workflow.nodes.map((node) =>
				node.name === FORM ? { ...node, webhookId } : node,
			);
			return { ...workflow, nodes };
		});
		const sendForm = async () => {
			const body = new FormData();
			body.set('field-0', 'Yes, call them');
			const response = await fetch(`${environment.url}/form/${webhookId}`, {
				method: 'POST',
				body,
			});
			assert.equal(response.status, 200);
		};
		return { ...example, sendForm };
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
		const { status, error } = await nextExecution(environment, example, example.sendForm);
		assert.equal(status, 'error');
		assert.match(error ?? '', /Nobody is called now: it is 03:\d\d in Etc/);
		assert.deepEqual([await leadRequests(example), await starts(example)], [[], 0]);
		await example.unpublish();
	});

	const example = await openSurvey(12);
	const { service } = example;
	const { control } = service;

	await check('a survey that is started twice calls each person once', async () => {
		await tables.insert(PEOPLE, [{ name: 'Cleo Weber', phone_number: '+4915112399901' }]);
		await example.publish();
		await nextExecution(environment, example, example.sendForm);
		assert.deepEqual([await leadRequests(example), await starts(example)], [[200, 200, 200], 1]);
		const { status } = await nextExecution(environment, example, example.sendForm);
		assert.equal(status, 'success');
		assert.deepEqual(
			[await leadRequests(example), await starts(example)],
			[[200, 200, 200, 422, 422, 422], 1],
		);
		assert.equal((await control.calls()).length, 3);
	});

	await check('each called person is a row, with answers if somebody answered', async () => {
		await control.advance('PT3M');
		const rows = await untilRows(tables, ANSWERS, 3);
		const expected = (await control.deliveries()).map(({ body }) => {
			const lead = asObject(body.lead, 'the lead');
			const { customer_name: name } = asObject(lead.variables, 'its variables');
			const values = asObject(body.extracted_variables, 'the answers');
			const none = { satisfaction: null, would_recommend: null, suggestion: null };
			const answered = body.status === 'completed';
			const outcome = answered ? 'answered' : 'no-answer';
			return { lead_id: lead.id, name, outcome, ...(answered ? values : none) };
		});
		assert.deepEqual(expected.map(({ outcome }) => outcome).sort(), [
			'answered',
			'answered',
			'no-answer',
		]);
		assert.partialDeepStrictEqual(byLead(rows), byLead(expected));
	});

	await check('another attempt to reach a person writes over the same row', async () => {
		const before = (await control.calls()).length;
		await nextExecution(environment, example, async () => {
			await control.advance('PT2H');
		});
		assert.ok((await control.calls()).length > before, 'There was no other attempt.');
		assert.equal((await tables.rows(ANSWERS)).length, 3);
	});

	await check('answers that come as texts are numbers and booleans, or stay empty', async () => {
		const deliver = async (id: number, extracted_variables: object) => {
			const [first] = await control.deliveries();
			const lead = { ...asObject(first?.body.lead, 'the lead'), id };
			await nextExecution(environment, example, async () => {
				await postDelivery(service, { id, status: 'completed', lead, extracted_variables });
			});
			const { satisfaction, would_recommend } = (await tables.rows(ANSWERS)).at(-1) ?? {};
			return [satisfaction, would_recommend];
		};
		assert.deepEqual(await deliver(900_001, { satisfaction: '9', would_recommend: 'Yes' }), [
			9,
			true,
		]);
		assert.deepEqual(await deliver(900_002, { satisfaction: 7, would_recommend: false }), [
			7,
			false,
		]);
		assert.deepEqual(await deliver(900_003, { satisfaction: 'good', would_recommend: 'perhaps' }), [
			null,
			null,
		]);
	});

	await check('a wrong phone number stops the survey before its start', async () => {
		await tables.insert(PEOPLE, [
			{ name: 'No number', phone_number: '12' },
			{ name: 'Dora Klein', phone_number: '+14155550125' },
		]);
		const { status } = await nextExecution(environment, example, example.sendForm);
		assert.equal(status, 'error');
		assert.equal(await starts(example), 1);
		await example.unpublish();
	});

	await check('1,000 people become leads once, and n8n goes on answering', async () => {
		await tables.remove(PEOPLE);
		const many = await openSurvey(12);
		await many.run('Set up once');
		const people = Array.from({ length: MANY_PEOPLE - 2 }, (_, index) => ({
			name: `Person ${index}`,
			phone_number: `+1415556${String(index).padStart(4, '0')}`,
		}));
		await tables.insert(PEOPLE, people);
		await many.publish();
		const probe = startHealthProbe(environment.url);
		const from = Date.now();
		await many.sendForm();
		await waitFor('the campaign to start', MANY_LIMIT_MS, async () =>
			(await starts(many)) > 0 ? true : undefined,
		);
		const silence = probe.longestSilence(from, Date.now());
		await probe.stop();
		await many.unpublish();
		const statuses = await leadRequests(many);
		assert.equal(statuses.length, MANY_PEOPLE);
		assert.deepEqual([...new Set(statuses)], [200]);
		assert.equal(await starts(many), 1);
		assert.ok(silence < LONGEST_SILENCE_MS, `n8n answered nobody for ${silence} ms.`);
	});

	await check('200 survey calls that end at once are 200 rows', async () => {
		await tables.remove(ANSWERS);
		const many = await openSurvey(12);
		await many.run('Set up once');
		await many.publish();
		const leads: number[] = [];
		for (let index = 0; index < MANY_CALLS; index++) {
			const phone = `+1415556${String(index).padStart(4, '0')}`;
			const person = { campaign_id: CAMPAIGN, phone_number: phone };
			const lead = idOf(await many.service.as(TOKEN).post('/user/lead', person));
			await many.service.control.outbound({ assistant_id: ASSISTANT, to: phone, lead_id: lead });
			leads.push(lead);
		}
		await many.service.control.advance('PT3M');
		const rows = await untilRows(tables, ANSWERS, MANY_CALLS);
		assert.deepEqual(
			rows.map(({ lead_id }) => Number(lead_id)).sort((a, b) => a - b),
			leads,
		);
		await many.unpublish();
	});
}

/** How the service answered the requests for leads, in their order. */
const leadRequests = async ({ service }: OpenExample): Promise<unknown[]> =>
	(await service.control.requests())
		.filter(({ operation }) => operation === 'createLead')
		.map(({ status }) => status);

/** How often the campaign was started. */
const starts = async ({ service }: OpenExample): Promise<number> =>
	(await service.control.requests()).filter(({ operation }) => operation === 'updateCampaignStatus')
		.length;

const byLead = <T extends { lead_id?: unknown }>(rows: T[]): T[] =>
	[...rows].sort((a, b) => Number(a.lead_id) - Number(b.lead_id));
