import assert from 'node:assert/strict';

import { NO_TIMEOUTS } from './example.mts';
import type { Gallery } from './gallery.mts';
import { runWithProbe } from './largeRuns.mts';
import type { Row } from './tables.mts';

const ACCOUNTS = 'Client accounts';
const LEADS = 'Client leads';
const REPORTS = 'Client reports';
const DO_NOT_CALL = 'Do not call';
const START = 'Every weekday at 10';

/** The campaign of each client. No account can add leads to the campaign of another one. */
const CAMPAIGNS = { 'Spring service': 9, Bakery: 21, Garage: 22 };
const CLIENTS = Object.keys(CAMPAIGNS);
const WRONG_TOKEN = 'expired-token';

/** Several clients with an account each, and one credential for all of them. */
export async function leadsForManyClients(gallery: Gallery): Promise<void> {
	const { check, open, tables } = gallery;
	const example = await open('Leads for many clients', [], [], NO_TIMEOUTS);
	const { control, run } = example;

	/** The campaigns and phone numbers of the leads that the service has created. */
	const created = async () =>
		(await example.requests('createLead'))
			.filter(({ status }) => status === 200)
			.map(({ body }) => body as { campaign_id: number; phone_number: string })
			.map(({ campaign_id: campaign, phone_number: phone }) => [campaign, phone] as const);
	const getLead = async (client: string, phone: string) =>
		await tables.row(LEADS, { client, phone_number: phone });
	/** Runs it. @returns the reports of this run by client, as [added, duplicate, do not call, not added] */
	const report = async (start = async (): Promise<unknown> => await run(START)) => {
		const before = (await tables.rows(REPORTS)).length;
		await start();
		const rows = (await tables.rows(REPORTS)).slice(before);
		const counts = Object.fromEntries(
			rows.map((row) => [
				String(row.client),
				[row.added, row.duplicate, row.do_not_call, row.not_added],
			]),
		);
		assert.equal(Object.keys(counts).length, rows.length, 'A client has two reports.');
		return { counts, of: (client: string) => rows.find((row) => row.client === client) ?? {} };
	};

	await check('the set-up for many clients makes the tables and their samples once', async () => {
		await example.setUp();
		const clients = (await tables.rows(ACCOUNTS)).map(({ client }) => client);
		assert.deepEqual(clients, [...CLIENTS, 'Florist']);
		assert.equal((await tables.rows(LEADS)).length, 4);
		assert.deepEqual(await tables.rows(REPORTS), []);
	});

	await check(
		'each lead goes to the account of its client, and a wrong token stops nobody else',
		async () => {
			const { counts, of } = await report();
			assert.deepEqual(counts, {
				'Spring service': [1, 0, 0, 0],
				Bakery: [1, 0, 0, 0],
				Garage: [1, 0, 0, 0],
				Florist: [0, 0, 0, 1],
			});
			// At some providers the status is 403, with words of their own.
			assert.match(String(of('Florist').problem), /did not accept the API token|Unauthenticated/);
			assert.match(String(of('Florist').advice), /Correct the token .+in Client accounts/);
			assert.deepEqual([of('Bakery').problem, of('Bakery').advice], ['', '']);
			assert.deepEqual((await created()).toSorted(), [
				[21, '+14155550161'],
				[22, '+447700900162'],
				[9, '+14155550161'],
			]);
			const leads = await tables.rows(LEADS);
			assert.ok(!JSON.stringify([leads, await tables.rows(REPORTS)]).includes(WRONG_TOKEN));
		},
	);

	await check(
		'a token that was corrected is used by the next run, which repeats nothing',
		async () => {
			const florist = await tables.row(ACCOUNTS, { client: 'Florist' });
			await tables.update(ACCOUNTS, florist, { api_token: 'bakery-token', campaign_id: 21 });
			const { counts } = await report();
			assert.deepEqual(counts, { Florist: [1, 0, 0, 0] });
			const { result, details, lead_id: id } = await getLead('Florist', '+4915112345663');
			assert.deepEqual([result, details, typeof id], ['created', '', 'number']);
			const requests = await control.requests();
			await run(START);
			assert.deepEqual(await control.requests(), requests);
		},
	);

	await check(
		'a client without a token or an account, and wrong rows, are told by client',
		async () => {
			await tables.insert(ACCOUNTS, [{ client: 'Hotel', api_token: '', campaign_id: 21 }]);
			await tables.insert(DO_NOT_CALL, [{ phone_number: '0151 / 5556-0001', reason: 'a letter' }]);
			const before = await created();
			await tables.insert(LEADS, [
				{ client: 'Hotel', name: 'Ada', phone_number: '+4915155600011' },
				{ client: 'Nobody', name: 'Ben', phone_number: '+4915155600012' },
				{ client: ' Bakery ', name: 'Cleo', phone_number: '+14155550161' },
				{ client: 'Garage', name: 'Dora', phone_number: '+4915155560001' },
				{ client: 'Garage', name: 'Emil', phone_number: '123' },
				{ client: 'Garage', name: 'Finn', phone_number: null },
				{ client: 'Garage', name: 'Gita', phone_number: '+4915155600013' },
			]);
			const { counts, of } = await report();
			assert.deepEqual(counts, {
				Hotel: [0, 0, 0, 1],
				Nobody: [0, 0, 0, 1],
				Bakery: [0, 1, 0, 0],
				Garage: [1, 0, 2, 1],
			});
			assert.match(String(of('Hotel').problem), /API Token of the credential is empty/);
			assert.equal(of('Nobody').problem, "'Nobody' is not in the table Client accounts");
			assert.match(String(of('Nobody').advice), /Write the client as in Client accounts/);
			assert.match(String(of('Garage').problem), /Phone Number/);
			assert.deepEqual((await created()).slice(before.length), [[22, '+4915155600013']]);
			assert.equal((await getLead('Garage', '+4915155560001')).result, 'do not call');
			// It cannot be compared with the list.
			assert.equal((await getLead('Garage', '123')).result, 'do not call');
			assert.equal((await tables.row(LEADS, { name: 'Finn' })).result, 'not sent');
			assert.equal((await getLead('Hotel', '+4915155600011')).result, '');
		},
	);

	await check(
		'a wrong campaign is told by client, and its leads wait for the right one',
		async () => {
			await tables.insert(ACCOUNTS, [
				{ client: 'Salon', api_token: 'garage-token', campaign_id: 21 },
				{ client: 'Gym', api_token: 'garage-token' },
			]);
			const phone = '+4915155600021';
			await tables.insert(LEADS, [
				{ client: 'Salon', name: 'Hugo', phone_number: phone },
				{ client: 'Gym', name: 'Ida', phone_number: '+4915155600022' },
			]);
			const { of } = await report();
			const problem = "The account of Salon does not take campaign '21'";
			assert.ok(String(of('Salon').problem).startsWith(problem));
			assert.match(String(of('Salon').advice), /Correct the campaign.+in Client accounts/);
			assert.match(String(of('Gym').problem), /^The account of Gym does not take campaign ''/);
			for (const name of ['Salon', 'Gym']) {
				const client = await tables.row(ACCOUNTS, { client: name });
				await tables.update(ACCOUNTS, client, { campaign_id: 22 });
			}
			const { counts } = await report();
			assert.partialDeepStrictEqual(counts, { Salon: [1, 0, 0, 0], Gym: [1, 0, 0, 0] });
			const { result, details, advice } = await getLead('Salon', phone);
			assert.deepEqual([result, details, advice], ['created', '', '']);
		},
	);

	await check(
		'1,000 leads of three clients and one with a wrong token, while n8n answers',
		async () => {
			for (const client of ['Hotel', 'Nobody']) {
				const row = await tables.row(LEADS, { client });
				await tables.update(LEADS, row, { result: 'given up' });
			}
			const florist = await tables.row(ACCOUNTS, { client: 'Florist' });
			await tables.update(ACCOUNTS, florist, { api_token: WRONG_TOKEN });
			const owners = [...CLIENTS, 'Florist'];
			// The clients have the same 250 people.
			const leads = Array.from({ length: 1000 }, (_, index): Row => ({
				client: owners[index % owners.length],
				name: `Person ${index}`,
				phone_number: `+49151411${String(Math.floor(index / owners.length)).padStart(5, '0')}`,
			}));
			await tables.insert(LEADS, leads);
			const before = await created();
			const { counts, of } = await report(async () => await runWithProbe(gallery, example, START));
			assert.deepEqual(counts, {
				...Object.fromEntries(CLIENTS.map((client) => [client, [250, 0, 0, 0]])),
				Florist: [0, 0, 0, 250],
			});
			assert.match(String(of('Florist').problem), /did not accept the API token/);
			const added = (await created()).slice(before.length);
			for (const campaign of Object.values(CAMPAIGNS)) {
				const phones = added.filter(([of]) => of === campaign).map(([, phone]) => phone);
				assert.equal(new Set(phones).size, 250);
			}
			assert.equal(added.length, 750);
			const rows = (await tables.rows(LEADS)).slice(-leads.length);
			assert.deepEqual(
				rows.map(({ result }) => result),
				leads.map(({ client }) => (client === 'Florist' ? '' : 'created')),
			);
		},
	);
}
