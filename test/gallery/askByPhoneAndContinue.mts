import assert from 'node:assert/strict';

import * as z from 'zod';

import { getItems, type Execution } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { listenOnLoopback } from '../support/loopback.mts';
import { checkDoNotCall, numbersAddedBy } from './doNotCall.mts';
import { A_CALL, withParameters, type Example } from './example.mts';
import type { Gallery } from './gallery.mts';

const NAME = 'Ask by phone and continue';
const QUESTION = 'Is Monday all right?';
const PERSON = { name: 'Anna Schmidt', question: QUESTION };
const NUMBER = '+4915112345621';
/** The sandbox's calls to these numbers are not answered. */
const NO_ANSWER = '+4915112399901';
const BUSY = '+4915112399902';
const LIMIT_MS = 60_000;

const answered = z.object({ variables: z.object({ answer: z.string().min(1) }) });
const variablesOf = z.object({ variables: z.record(z.string()) });

/** The example asks by phone, and the same execution goes on when the call is over. */
export async function askByPhoneAndContinue(gallery: Gallery): Promise<void> {
	const { check, cleanup, open, editor, restart, url } = gallery;

	/** Fills in the form and sends it, as the browser does. */
	const ask = async (phoneNumber: string): Promise<void> => {
		const body = new FormData();
		[PERSON.name, phoneNumber, QUESTION].forEach((value, index) => {
			body.set(`field-${index}`, value);
		});
		const { status } = await fetch(`${url}/form/ask-by-phone`, { method: 'POST', body });
		assert.equal(status, 200);
	};
	const listed = await open(NAME);
	await listed.setUp();
	await listed.publish();
	/** How many people the workflow has called, or gone on without. */
	const decided = async () => {
		const states = [...(await editor.executionStates(listed.id)).values()];
		const without = (await editor.executions(listed.id)).flatMap((execution) =>
			getItems(execution, 'Go on without answer'),
		);
		return states.filter((state) => state === 'waiting').length + without.length;
	};
	await checkDoNotCall(
		gallery,
		listed,
		async (numbers) =>
			await numbersAddedBy(listed, async () => {
				const before = await decided();
				for (const number of numbers) await ask(number);
				await waitFor('all to be called or left out', LIMIT_MS, async () =>
					(await decided()) === before + numbers.length ? true : undefined,
				);
			}),
	);

	const example = await open(NAME);
	const { control } = example;
	await example.publish();

	/** Waits until the execution that asked knows whether there is an answer. */
	const untilDecided = async ({ id }: Example): Promise<Execution> =>
		await waitFor('the workflow to go on', LIMIT_MS, async () =>
			(await editor.executions(id)).find(({ runs }) =>
				runs.some(({ node }) => node === 'Is there an answer?'),
			),
		);
	/** The variables of the lead that was added last. */
	const latestVariables = async () =>
		variablesOf.parse((await example.sent('createLead')).at(-1)).variables;

	await check('the person is called with the question, while the execution waits', async () => {
		await ask(NUMBER);
		await example.untilWaiting();
		const { resume_address: address, ...others } = await latestVariables();
		assert.deepEqual(others, { customer_name: PERSON.name, question: QUESTION });
		assert.match(
			String(address),
			new RegExp(String.raw`^${url}/webhook-waiting/\d+\?signature=\w+$`),
		);
		assert.equal((await control.calls()).length, 1);
	});

	await check('the waiting execution goes on with the answer of the call', async () => {
		await control.advance(A_CALL);
		const asked = await untilDecided(example);
		const [call] = await control.calls();
		const { answer } = answered.parse(call).variables;
		assert.deepEqual(getItems(asked, 'Go on with the answer'), [
			{ ...PERSON, answer, call_id: call?.id },
		]);
		assert.deepEqual(getItems(asked, 'Go on without answer'), []);
	});

	await check('a form that is sent twice calls the person once', async () => {
		await ask(NUMBER);
		await ask('0049 (151) 123456-21');
		await example.executions(4);
		await control.advance(A_CALL);
		assert.equal((await example.requests('createLead')).length, 1);
		assert.equal((await control.calls()).length, 1);
	});

	await check('a phone number that is none adds no lead and starts no campaign', async () => {
		const asked = await example.next(async () => await ask('12'));
		assert.match(String(getItems(asked, 'Add the lead')[0]?.reason), /^The number is too short, /);
		assert.deepEqual(getItems(asked, 'Go on without answer'), [PERSON]);
		assert.equal((await example.requests('createLead')).length, 1);
		assert.equal((await example.requests('updateCampaignStatus')).length, 1);
	});

	await check('the execution also goes on when the lead cannot be taken off the list', async () => {
		await ask(BUSY);
		await example.untilWaiting();
		await control.advance(A_CALL);
		await control.fault({ operation: 'updateLead', status: 500 });
		const asked = await example.next(async () => {
			const { resume_address: address } = await latestVariables();
			const response = await fetch(String(address), { method: 'POST' });
			assert.equal(response.status, 200);
		});
		assert.deepEqual(getItems(asked, 'Go on without answer'), [PERSON]);
		const updates = await example.requests('updateLead');
		assert.deepEqual(
			updates.map(({ status }) => status),
			[500],
		);
	});

	// Everybody who can change a lead can write another address into it.
	await check('an address in a lead that is not of this n8n is not called', async () => {
		let requestCount = 0;
		const stranger = await cleanup.use(
			listenOnLoopback((_, response) => {
				requestCount += 1;
				response.end();
			}),
		);
		const variables = [
			`${stranger.origin}/webhook-waiting/1?signature=ab`,
			`${stranger.origin}/?${url}/webhook-waiting/1?signature=ab`,
			`${url}@${new URL(stranger.origin).host}/webhook-waiting/1?signature=ab`,
			`${url}/webhook-waiting/../healthz?signature=ab`,
			`${url}/webhook/1?signature=ab`,
			`1${url}/webhook-waiting/1?signature=ab`,
		].map((resume_address): Record<string, string> => ({ resume_address }));
		const before = (await example.executions(6)).length;
		for (const [index, each] of [...variables, {}].entries()) {
			const phone_number = `+49151123457${10 + index}`;
			await example.addLead({ campaign_id: 11, phone_number, variables: each });
		}
		// The campaign calls five leads at a time.
		await control.advance(A_CALL);
		await control.advance(A_CALL);
		const started = await example.executions(variables.length + 1, before);
		assert.deepEqual(
			started.map(({ status, runs }) => [status, runs.at(-1)?.node]),
			started.map(() => ['success', 'Address of this n8n?']),
		);
		assert.equal(requestCount, 0);
	});

	await check(
		'an answer that nobody waits for is not passed on, and an error says so',
		async () => {
			const resume_address = `${url}/webhook-waiting/999999?signature=ab`;
			await example.addLead({
				campaign_id: 11,
				phone_number: '+4915112345699',
				variables: { resume_address },
			});
			const refusal = await example.nextError(async () => {
				await control.advance(A_CALL);
			});
			assert.match(refusal, /^The answer was not passed on: /);
		},
	);

	// n8n answers *Pass on the answer* only when there is room for the execution that goes on.
	for (const [limit, people] of [
		[1, 1],
		[3, 5],
	] as const) {
		await check(
			`with N8N_CONCURRENCY_PRODUCTION_LIMIT=${limit}, ${people} go on with their answers`,
			async () => {
				await restart({ N8N_CONCURRENCY_PRODUCTION_LIMIT: String(limit) });
				const limited = await open(NAME);
				await limited.publish();
				for (let person = 0; person < people; person++) await ask(`+49151123458${10 + person}`);
				await limited.untilWaiting(people);
				await limited.control.advance(A_CALL);
				const answers = await waitFor('all to go on', LIMIT_MS, async () => {
					const executions = await editor.executions(limited.id);
					const ended = executions.flatMap((each) => getItems(each, 'Go on with the answer'));
					return ended.length === people ? ended : undefined;
				});
				const calls = new Set(answers.map(({ call_id: callId }) => callId));
				assert.equal(calls.size, people);
				await waitFor('all to end well', LIMIT_MS, async () => {
					const states = [...(await editor.executionStates(limited.id)).values()];
					return states.every((state) => state === 'success') || undefined;
				});
			},
		);
	}

	await check('without an answer in time it goes on, and nobody is called again', async () => {
		const soon = withParameters('Wait for the answer', {
			resumeAmount: 1,
			resumeUnit: 'seconds',
		});
		const unanswered = await open(NAME, [soon]);
		await unanswered.publish();
		await ask(NO_ANSWER);
		await unanswered.untilWaiting();
		await unanswered.control.advance(A_CALL);
		// n8n looks for executions whose time is over when it starts, and then once a minute.
		await restart();
		const asked = await untilDecided(unanswered);
		assert.deepEqual(getItems(asked, 'Go on without answer'), [PERSON]);
		assert.deepEqual(getItems(asked, 'Go on with the answer'), []);
		assert.deepEqual(await unanswered.sent('updateLead'), [{ status: 'completed' }]);
		// In this time, the sandbox calls a lead again that did not answer.
		await unanswered.control.advance('PT3H');
		assert.equal((await unanswered.control.calls()).length, 1);
	});
}
