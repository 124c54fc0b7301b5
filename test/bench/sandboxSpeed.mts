import assert from 'node:assert/strict';

import { errorMessage } from '../../host/process/errorMessage.mts';
import type { Checks } from '../support/checks.mts';
import { percentile } from '../support/percentile.mts';
import { sendRequest } from '../support/sandbox/client.mts';
import { contractViolations } from '../support/sandbox/contract.mts';
import { ALICE, twoUsers } from '../support/sandbox/seed.mts';
import { load, type LoadRequest } from './load.mts';
import { installPrism, startPrism } from './prism.mts';
import type { Results, Subject } from './results.mts';
import { startSandboxProcess } from './sandboxProcess.mts';

/** A part of the bench that needs no n8n. */
interface PartOptions {
	checks: Checks;
	results: Results;
	/** small numbers, for the checks only */
	quick: boolean;
	rounds: number;
}

const SANDBOX = 'the sandbox';
/** As it starts without options: it logs each request. */
const PRISM = 'Prism';
const SILENT_PRISM = 'Prism without its log';
const LIST_LIMIT_MS = 10 * 60_000;

/** The same requests to all servers, and how many times faster than Prism the sandbox is to be. */
const REQUESTS = [
	{ work: 'GET /user/assistants/get', path: '/user/assistants/get', atLeast: 2.2 },
	{
		work: 'POST /user/lead',
		path: '/user/lead',
		method: 'POST',
		body: { campaign_id: 1, phone_number: '+4915112345699', allow_dupplicate: true },
		atLeast: 1.6,
	},
] as const;

/** One page of 100,000 calls is to take less than this, in milliseconds. */
const PAGE_MS = 20;

const PAGES = [
	'',
	'?per_page=100',
	'?per_page=100&page=500',
	'?status=no-answer&page=3',
	'?assistant_id=2&type=inbound',
	'?campaign_id=1&status=completed',
	'?phone_number=%2B4915112300042',
	'?date_from=2026-02-10&date_to=2026-02-11',
];

/** Measures the sandbox beside Prism, a generic mock server, and its list of 100,000 calls. */
export async function sandboxSpeed(options: PartOptions): Promise<void> {
	await measureRequests(options);
	await measurePages(options);
}

async function measureRequests({ checks, results, quick, rounds }: PartOptions): Promise<void> {
	const { check, cleanup } = checks;
	const { shutdownSignal } = cleanup;
	const sandbox = await startSandboxProcess(cleanup, twoUsers());
	const others = await startPrismIfPossible(checks);
	const servers = [...others, { by: SANDBOX, url: sandbox.url }];

	const measure = async (
		seconds: number,
		record: (subject: Subject, rate: number, p50: number) => void,
	) => {
		for (const { work, path, ...request } of REQUESTS) {
			for (const { by, url } of servers) {
				const wanted: LoadRequest = { ...request, url: url + path, token: ALICE };
				const { rate, p50, accepted, refused } = await load(wanted, seconds, shutdownSignal);
				assert.equal(refused, 0, `${work}, ${by}: requests were refused`);
				assert.ok(accepted > 100, `${work}, ${by}: ${accepted} requests`);
				record({ work: `${work}, 10 at a time`, by }, rate, p50);
			}
		}
	};
	await check('the sandbox accepts every request under load', async () => {
		await measure(quick ? 1 : 2, () => undefined);
	});
	if (quick) return;
	for (let round = 1; round <= rounds; round += 1) {
		await check(`GETs and POSTs, the servers in turns, round ${round}`, async () => {
			await measure(5, (subject, rate, p50) => results.record(subject, { rate, p50 }));
		});
	}
	if (others.length === 0) return;
	for (const { work, atLeast } of REQUESTS) {
		const subject = { work: `${work}, 10 at a time`, by: SANDBOX };
		results.expect('rate', subject, { ...subject, by: PRISM }, { atLeast });
	}
}

/** @returns Prism twice, with and without its log; none when it cannot be installed, which is no failure */
async function startPrismIfPossible(checks: Checks): Promise<{ by: string; url: string }[]> {
	const { cleanup, skip, require } = checks;
	try {
		await installPrism(cleanup.shutdownSignal);
	} catch (error) {
		cleanup.shutdownSignal.throwIfAborted();
		skip('the comparison with Prism', errorMessage(error), 'allowed');
		return [];
	}
	return await require('Prism starts', async () => [
		{ by: PRISM, url: await startPrism(cleanup, false) },
		{ by: SILENT_PRISM, url: await startPrism(cleanup, true) },
	]);
}

async function measurePages({ checks, results, quick, rounds }: PartOptions): Promise<void> {
	const { check, require, cleanup } = checks;
	const count = quick ? 1_000 : 100_000;
	const shown = count.toLocaleString('en');
	const { url } = await require(`a sandbox starts with ${shown} calls`, () =>
		startSandboxProcess(cleanup, withCalls(count)), LIST_LIMIT_MS);
	const get = async (query: string) => {
		const headers = { authorization: `Bearer ${ALICE}` };
		return await sendRequest(`${url}/user/calls${query}`, { headers });
	};
	await check(`each page of ${shown} calls fits the contract`, async () => {
		for (const query of PAGES) {
			const { status, body } = await get(query);
			assert.equal(status, 200, query);
			assert.deepEqual(contractViolations('GET', '/user/calls', status, body), [], query);
		}
	});
	if (quick) return;
	await check(`pages of ${shown} calls`, async () => {
		for (const query of PAGES) {
			const subject = { work: `${shown} calls, GET /user/calls${query}`, by: SANDBOX };
			for (let round = 1; round <= rounds; round += 1) {
				const times = [];
				for (let number = 0; number < 30; number += 1) {
					const begin = performance.now();
					await get(query);
					times.push(performance.now() - begin);
				}
				results.record(subject, { p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
			}
			results.expect('p50', subject, { name: 'goal', value: PAGE_MS }, { atMost: 1 });
		}
	});
}

/** Alice has as many calls, of both assistants, over 30 days. */
function withCalls(count: number): object {
	const { users } = twoUsers();
	const [alice, ...others] = users;
	const statuses = ['completed', 'completed', 'completed', 'no-answer', 'busy'];
	const begin = Date.parse('2026-02-01T00:00:00Z');
	const calls = Array.from({ length: count }, (_, index) => {
		const isInbound = index % 4 === 0;
		const at = new Date(begin + (index * 30 * 86_400_000) / count).toISOString();
		return {
			assistant_id: isInbound ? 2 : 1,
			...(!isInbound && { campaign_id: (index % 3) % 2 === 0 ? 1 : 2 }),
			type: isInbound ? 'inbound' : 'outbound',
			status: statuses[index % statuses.length],
			client_phone_number: `+49151123${String(index % 20_000).padStart(5, '0')}`,
			transcript: 'Assistant: Hello, this is the reception.\nCustomer: Hello! '.repeat(8),
			duration: index % 300,
			created_at: at.slice(0, 19).replace('T', ' '),
		};
	});
	return { users: [{ ...alice, calls }, ...others] };
}
