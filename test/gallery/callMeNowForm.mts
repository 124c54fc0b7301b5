import assert from 'node:assert/strict';

import * as z from 'zod';

import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample } from './openExample.mts';

const LIMIT_MS = 60_000;
const CONSENT = 'I agree that an AI assistant calls me at this number.';
const submitted = z.object({ formWaitingUrl: z.string() });

/** What somebody enters in the form. */
interface Entry {
	name: string;
	phoneNumber: string;
	/** true unless given */
	agrees?: boolean;
}

/** The form in n8n, from which a person starts a call. */
export async function callMeNowForm(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { service, executions, publish, unpublish } = await openExample(
		checks,
		environment,
		'A form calls me now',
	);
	const form = `${environment.url}/form/call-me-now`;

	/** Sends the form as the browser does. @returns the last page */
	const send = async ({ name, phoneNumber, agrees = true }: Entry): Promise<string> => {
		const body = new FormData();
		body.set('field-0', name);
		body.set('field-1', phoneNumber);
		if (agrees) body.set('field-2', JSON.stringify([CONSENT]));
		const response = await fetch(form, { method: 'POST', body });
		const { formWaitingUrl } = submitted.parse(await response.json());
		const status = new URL(formWaitingUrl);
		status.pathname += '/n8n-execution-status';
		await waitFor('the last page of the form', LIMIT_MS, async () =>
			(await (await fetch(status)).text()) === 'form-waiting' ? true : undefined,
		);
		const page = await (await fetch(formWaitingUrl)).text();
		// The page does this when it is shown, which ends the execution.
		await fetch(formWaitingUrl, { method: 'POST' });
		return page;
	};

	/** The requests to the service since the last time. */
	const requests = async () => {
		const received = await service.control.requests();
		return received.splice(seen).map(({ operation, body }) => {
			seen += 1;
			return { operation, body };
		});
	};
	let seen = 0;

	/** Who has been called, after all calls have ended. */
	const called = async () => {
		await service.control.advance('PT5M');
		return (await service.control.calls()).map((call) => call.client_phone_number);
	};

	await publish();

	await check('a form calls the person who sent it', async () => {
		assert.ok((await (await fetch(form)).text()).includes(CONSENT));
		const page = await send({ name: 'Ada Moreno', phoneNumber: ' +49 151 / 2000 0001' });
		assert.ok(page.includes('We are calling you'), page);
		assert.deepEqual(await requests(), [
			{
				operation: 'createLead',
				body: {
					campaign_id: 2,
					phone_number: '+4915120000001',
					allow_dupplicate: false,
					variables: { customer_name: 'Ada Moreno' },
				},
			},
			{ operation: 'updateCampaignStatus', body: { campaign_id: 2, action: 'start' } },
		]);
		assert.deepEqual(await called(), ['+4915120000001']);
	});

	await check('the assistant greets the person by the name of the form', async () => {
		const [call] = await service.control.calls();
		assert.match(String(call?.transcript), /^Assistant: Hello Ada Moreno, I am an AI assistant/);
	});

	await check('a form that is sent twice calls once, and says so', async () => {
		const page = await send({ name: 'Ada Moreno', phoneNumber: '0049 (151) 2000-0001' });
		assert.ok(page.includes('You have sent this form before'), page);
		assert.deepEqual(await called(), ['+4915120000001']);
		await requests();
	});

	await check('a form without consent calls nobody, and says why', async () => {
		const page = await send({
			name: 'Ben Okafor',
			phoneNumber: '+49 151 20000002',
			agrees: false,
		});
		assert.ok(page.includes('We call you only if you agree'), page);
		assert.deepEqual(await requests(), []);
	});

	await check('a form tells the person that the number does not work', async () => {
		for (const phoneNumber of ['+49 1', 'my number', '0151 20000002']) {
			const page = await send({ name: 'Ben Okafor', phoneNumber });
			assert.ok(page.includes('We cannot call this number'), `${phoneNumber}: ${page}`);
			const operations = (await requests()).map(({ operation }) => operation);
			assert.ok(!operations.includes('updateCampaignStatus'), phoneNumber);
		}
		assert.deepEqual(await called(), ['+4915120000001']);
	});

	await check(
		'a form tells the person when the service does not work, and can be sent again',
		async () => {
			const person = { name: 'Cleo Lind', phoneNumber: '+49 151 20000003' };
			for (const operation of ['createLead', 'updateCampaignStatus']) {
				await service.control.fault({ operation, status: 500 });
				const page = await send(person);
				assert.ok(page.includes('Something went wrong'), `${operation}: ${page}`);
			}
			await send(person);
			assert.deepEqual(await called(), ['+4915120000001', '+4915120000003']);
		},
	);

	await check('each form that was sent has ended its execution without an error', async () => {
		const statuses = (await executions(9)).map(({ status }) => status);
		assert.deepEqual(new Set(statuses), new Set(['success']));
	});

	await unpublish();
}
