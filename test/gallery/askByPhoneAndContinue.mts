import assert from 'node:assert/strict';

import * as z from 'zod';

import { itemsOf, type Execution } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { listenOnLoopback } from '../support/loopback.mts';
import { idOf } from '../support/sandbox/client.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample, withParameters, type OpenExample } from './openExample.mts';

const NAME = 'Ask by phone and continue';
const TOKEN = 'sandbox-token';
const CAMPAIGN = 11;
const QUESTION = 'Is Monday all right?';
const NUMBER = '+4915112345621';
/** The sandbox's calls to these numbers are not answered. */
const NO_ANSWER = '+4915112399901';
const BUSY = '+4915112399902';

const A_CALL = 'PT3M';
/** In this time, the sandbox calls a lead again that did not answer. */
const NEXT_CALLS = 'PT3H';
const LIMIT_MS = 60_000;
/** n8n looks once a minute for executions whose time is over. */
const TIMEOUT_LIMIT_MS = 180_000;

const answered = z.object({ variables: z.object({ answer: z.string().min(1) }) });
const addedLead = z.object({ variables: z.record(z.string()) });

/** The example asks by phone, and the same execution goes on when the call is over. */
export async function askByPhoneAndContinue(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const example = await openExample(checks, environment, NAME);
	await example.publish();
	await answers(checks, environment, example);
	await addresses(checks, environment, example);
	await example.unpublish();
	await noAnswer(checks, environment);
}

async function answers(
	{ check }: Checks,
	environment: GalleryEnvironment,
	example: OpenExample,
): Promise<void> {
	const { control } = example.service;

	await check('the person is called with the question, while the execution waits', async () => {
		await ask(environment, NUMBER);
		await untilWaiting(environment, example);
		const { resume_address: address, ...others } = await latestVariables(example);
		assert.deepEqual(others, { customer_name: 'Anna Schmidt', question: QUESTION });
		assert.match(
			String(address),
			new RegExp(String.raw`^${environment.url}/webhook-waiting/\d+\?signature=\w+$`),
		);
		assert.equal((await control.calls()).length, 1);
	});

	await check('the waiting execution goes on with the answer of the call', async () => {
		await control.advance(A_CALL);
		const asked = await untilDecided(environment, example, LIMIT_MS);
		const [call] = await control.calls();
		const { answer } = answered.parse(call).variables;
		assert.deepEqual(itemsOf(asked, 'Go on with the answer'), [
			{ name: 'Anna Schmidt', question: QUESTION, answer, call_id: call?.id },
		]);
		assert.deepEqual(itemsOf(asked, 'Go on without an answer'), []);
	});

	await check('a form that is sent twice calls the person once', async () => {
		await ask(environment, NUMBER);
		await ask(environment, '0049 (151) 123456-21');
		await example.executions(4);
		await control.advance(A_CALL);
		assert.equal((await example.requests('createLead')).length, 1);
		assert.equal((await control.calls()).length, 1);
	});

	await check(
		'a phone number that cannot be read adds no lead and starts no campaign',
		async () => {
			await ask(environment, '12');
			const refused = (await example.executions(5)).at(-1);
			assert.equal(refused?.status, 'error');
			assert.match(String(refused.error), /'Phone Number'/);
			assert.equal((await example.requests('updateCampaignStatus')).length, 1);
		},
	);

	await check('the execution also goes on when the lead cannot be taken off the list', async () => {
		await ask(environment, BUSY);
		await untilWaiting(environment, example);
		await control.advance(A_CALL);
		const { resume_address: address } = await latestVariables(example);
		await control.fault({ operation: 'updateLead', status: 500 });
		const response = await fetch(String(address), { method: 'POST' });
		assert.equal(response.status, 200);
		const asked = (await example.executions(6)).at(-1);
		assert.equal(asked?.status, 'success', asked?.error);
		assert.deepEqual(itemsOf(asked, 'Go on without an answer'), [
			{ name: 'Anna Schmidt', question: QUESTION },
		]);
		const updates = await example.requests('updateLead');
		assert.deepEqual(
			updates.map(({ status }) => status),
			[500],
		);
	});
}

/** Everybody who can change a lead can write another address into it. */
async function addresses(
	{ check, cleanup }: Checks,
	{ url }: GalleryEnvironment,
	{ service, executions }: OpenExample,
): Promise<void> {
	await check('an address in a lead that is not of this n8n is not called', async () => {
		let requestCount = 0;
		const stranger = await cleanup.use(
			listenOnLoopback((_, response) => {
				requestCount += 1;
				response.end();
			}),
		);
		const others = [
			`${stranger.origin}/webhook-waiting/1?signature=ab`,
			`${stranger.origin}/?${url}/webhook-waiting/1?signature=ab`,
			`${url}@${new URL(stranger.origin).host}/webhook-waiting/1?signature=ab`,
			`${url}/webhook-waiting/../healthz?signature=ab`,
			`${url}/webhook/1?signature=ab`,
			`1${url}/webhook-waiting/1?signature=ab`,
		];
		const before = (await executions(6)).length;
		for (const [index, address] of [...others, undefined].entries()) {
			idOf(
				await service.as(TOKEN).post('/user/lead', {
					campaign_id: CAMPAIGN,
					phone_number: `+49151123457${10 + index}`,
					variables: address === undefined ? {} : { resume_address: address },
				}),
			);
		}
		// The campaign calls five leads at a time.
		await service.control.advance(A_CALL);
		await service.control.advance(A_CALL);
		const started = (await executions(before + others.length + 1)).slice(before);
		assert.deepEqual(
			started.map(({ status, runs }) => [status, runs.at(-1)?.node]),
			started.map(() => ['success', 'Is the address of this n8n?']),
		);
		assert.equal(requestCount, 0);
	});
}

async function noAnswer(checks: Checks, environment: GalleryEnvironment): Promise<void> {
	const example = await openExample(checks, environment, NAME, (workflow) =>
		withParameters(workflow, 'Wait for the answer', { resumeAmount: 5, resumeUnit: 'seconds' }),
	);
	const { control } = example.service;
	await example.publish();

	await checks.check(
		'without an answer in time, the execution goes on, and nobody is called again',
		async () => {
			await ask(environment, NO_ANSWER);
			await untilWaiting(environment, example);
			await control.advance(A_CALL);
			const asked = await untilDecided(environment, example, TIMEOUT_LIMIT_MS);
			assert.deepEqual(itemsOf(asked, 'Go on without an answer'), [
				{ name: 'Anna Schmidt', question: QUESTION },
			]);
			assert.deepEqual(itemsOf(asked, 'Go on with the answer'), []);
			const [update] = await example.requests('updateLead');
			assert.deepEqual(update?.body, { status: 'completed' });
			await control.advance(NEXT_CALLS);
			assert.equal((await control.calls()).length, 1);
		},
	);
	await example.unpublish();
}

/** Fills in the form and sends it, as the browser does. */
async function ask({ url }: GalleryEnvironment, phoneNumber: string): Promise<void> {
	const body = new FormData();
	['Anna Schmidt', phoneNumber, QUESTION].forEach((value, index) => {
		body.set(`field-${index}`, value);
	});
	const { status } = await fetch(`${url}/form/ask-by-phone`, { method: 'POST', body });
	assert.equal(status, 200);
}

async function untilWaiting({ editor }: GalleryEnvironment, { id }: OpenExample): Promise<void> {
	await waitFor('an execution to wait', LIMIT_MS, async () => {
		const states = [...(await editor.executionStates(id)).values()];
		return states.includes('waiting') || undefined;
	});
}

/** Waits until the execution that asked knows whether there is an answer. */
async function untilDecided(
	{ editor }: GalleryEnvironment,
	{ id }: OpenExample,
	limitMs: number,
): Promise<Execution> {
	return await waitFor('the workflow to go on', limitMs, async () =>
		(await editor.executions(id)).find(({ runs }) =>
			runs.some(({ node }) => node === 'Is there an answer?'),
		),
	);
}

/** The variables of the lead that was added last. */
async function latestVariables(example: OpenExample): Promise<Record<string, string>> {
	const { body } = (await example.requests('createLead')).at(-1) ?? {};
	return addedLead.parse(body).variables;
}
