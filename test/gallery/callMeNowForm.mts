import assert from 'node:assert/strict';

import * as z from 'zod';

import { waitFor } from '../../host/process/wait.mts';
import { checkDoNotCall, checkOptOut, DO_NOT_CALL, numbersAddedBy } from './doNotCall.mts';
import { A_CALL } from './example.mts';
import type { Gallery } from './gallery.mts';
import { checkLateDelivery } from './lateDelivery.mts';

const NAME = 'A form calls me now';
const LIMIT_MS = 60_000;
const CONSENT = 'I agree that an AI assistant calls me at this number.';
const ADA = '+4915120000001';
const FORM_CALLS = 'Form calls';
const NOT_ACCEPTED = 'not accepted by the service';
/** The number in *Is a place left?*. */
const A_DAY = 20;
const YESTERDAY = '2026-01-31T12:00:00.000Z';
const submitted = z.object({ formWaitingUrl: z.string() });

/** The form in n8n, from which a person starts a call. */
export async function callMeNowForm(gallery: Gallery): Promise<void> {
	const { check, open, tables, url } = gallery;
	const example = await open(NAME);
	const { control, numbersCalled } = example;
	const form = `${url}/form/call-me-now`;

	/** Sends the form as the browser does. @returns the last page */
	const send = async (name: string, phoneNumber: string, agrees = true): Promise<string> => {
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
	const called = async () => await example.sent('makeCall');
	/** What the table says about the forms of this person, the first one first. */
	const outcomes = async (name: string) =>
		(await tables.rows(FORM_CALLS, { name })).map(({ outcome }) => outcome);

	await example.setUp();
	await example.publish();

	await check('a form calls the person who sent it, by the name of the form', async () => {
		assert.ok((await (await fetch(form)).text()).includes(CONSENT));
		const page = await send('Ada Moreno', ' +49 151 / 2000 0001');
		assert.ok(page.includes('We are calling you'), page);
		const [sent, ...others] = await called();
		assert.deepEqual(others, []);
		const { variables, ...call } = z
			.object({ variables: z.record(z.unknown()) })
			.passthrough()
			.parse(sent);
		assert.deepEqual(call, { assistant_id: 8, phone_number: ADA });
		assert.equal(variables.customer_name, 'Ada Moreno');
		assert.deepEqual(await outcomes('Ada Moreno'), ['']);
		await control.advance(A_CALL);
		// The execution of the form may end meanwhile.
		await example.untilHandled(Number((await control.calls()).at(-1)?.id));
		assert.deepEqual(await numbersCalled(), [ADA]);
		const row = await tables.row(FORM_CALLS, { name: 'Ada Moreno' });
		assert.equal(row.outcome, 'answered');
		assert.ok(Date.parse(String(row.called_at)) > 0 && Date.parse(String(row.sent_at)) > 0);
		const [made] = await control.calls();
		assert.match(String(made?.transcript), /^Assistant: Hello Ada Moreno, I am an AI assistant/);
	});

	await checkLateDelivery(
		gallery,
		example,
		async () => await tables.row(FORM_CALLS, { name: 'Ada Moreno' }),
		({ form_id }) => ({ input_variables: { form_id } }),
	);

	await check('a form that is sent twice calls once, and says so', async () => {
		const page = await send('Ada Moreno', '0049 (151) 2000-0001');
		assert.ok(page.includes('You have sent this form before'), page);
		assert.deepEqual(await outcomes('Ada Moreno'), ['busy', 'done before']);
		await control.advance(A_CALL);
		assert.deepEqual(await numbersCalled(), [ADA]);
	});

	await check('a form without consent calls nobody, and says why', async () => {
		const before = await control.requests();
		const page = await send('Ben Okafor', '+49 151 20000002', false);
		assert.ok(page.includes('We call you only if you agree'), page);
		assert.deepEqual(await control.requests(), before);
	});

	await check('a form tells the person that the number does not work', async () => {
		await tables.insert(DO_NOT_CALL, [
			{ phone_number: 'withheld' },
			{ phone_number: '+4930111111' },
		]);
		const before = await called();
		for (const phoneNumber of ['+49 1', 'my number', '0151 20000002']) {
			const page = await send('Ben Okafor', phoneNumber);
			assert.ok(page.includes('We cannot call this number'), `${phoneNumber}: ${page}`);
		}
		// Only the one without a country code is sent. The others cannot be compared with the list.
		assert.equal((await called()).length, before.length + 1);
		const rows = await tables.rows(FORM_CALLS, { name: 'Ben Okafor' });
		assert.deepEqual(
			rows.map(({ outcome, problem }) => [outcome, typeof problem]),
			Array(3).fill(['wrong number', 'string']),
		);
		await control.advance(A_CALL);
		assert.deepEqual(await numbersCalled(), [ADA]);
	});

	await check('a form says that the service does not work, and can be sent again', async () => {
		const message = 'Insufficient balance to make call. Please top up your account.';
		for (const body of [{ message }, '<html>Forbidden</html>']) {
			await control.fault({ operation: 'makeCall', status: 403, body });
			const page = await send('Cleo Lind', '+49 151 20000003');
			assert.ok(page.includes('Something went wrong'), page);
		}
		const failed = await tables.rows(FORM_CALLS, { name: 'Cleo Lind' });
		assert.equal(failed.length, 2);
		assert.ok(failed.every(({ outcome, problem }) => outcome === NOT_ACCEPTED && problem));
		await send('Cleo Lind', '+49 151 20000003');
		await control.advance(A_CALL);
		await example.untilHandled(Number((await control.calls()).at(-1)?.id));
		assert.deepEqual(await outcomes('Cleo Lind'), [NOT_ACCEPTED, NOT_ACCEPTED, 'answered']);
		assert.deepEqual(await numbersCalled(), [ADA, '+4915120000003']);
	});

	await check('each form that was sent has ended its execution without an error', async () => {
		const statuses = (await example.executions(16)).map(({ status }) => status);
		assert.deepEqual(new Set(statuses), new Set(['success']));
	});

	await checkOptOut(gallery, example, 8);

	await checkDoNotCall(gallery, example, async (numbers) => {
		const pages: string[] = [];
		const added = await numbersAddedBy(example, async () => {
			for (const number of numbers) pages.push(await send('Dora Klein', number));
		});
		assert.equal(
			pages.filter((page) => page.includes('people who want no calls')).length,
			numbers.length - added.length,
		);
		const wanted = (await tables.rows(FORM_CALLS, { name: 'Dora Klein' })).slice(-numbers.length);
		assert.deepEqual(
			wanted.filter(({ outcome }) => outcome === 'do not call').length,
			numbers.length - added.length,
		);
		return added;
	});

	await check('a form calls no more people than it may in a day, and says so', async () => {
		const fill = async (sentAt: string, count: number) => {
			const rows = Array.from({ length: count }, (_, index) => ({
				...{ sent_at: sentAt, form_id: `of another day ${index}` },
				phone_number: `+49151290000${index}`,
			}));
			await tables.insert(FORM_CALLS, rows);
		};
		const calledToday = async () =>
			(await tables.rows(FORM_CALLS)).filter(
				({ form_id: id, sent_at: at }) => id !== null && at !== YESTERDAY,
			).length;
		await fill(YESTERDAY, A_DAY);
		await fill(new Date().toISOString(), A_DAY - 1 - (await calledToday()));
		const pages: string[] = [];
		const added = await numbersAddedBy(example, async () => {
			for (const number of ['+49 151 20000004', '+49 151 20000005']) {
				pages.push(await send('Eva Sand', number));
			}
		});
		assert.deepEqual(added, ['+4915120000004']);
		assert.ok(pages[0]?.includes('We are calling you'), pages[0]);
		assert.ok(pages[1]?.includes('No more calls today'), pages[1]);
		assert.equal(await calledToday(), A_DAY);
	});
}
