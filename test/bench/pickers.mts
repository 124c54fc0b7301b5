import assert from 'node:assert/strict';

import { openCatalogue } from '../../host/api/catalogue.mts';
import { ACTION } from '../../host/n8n/names.mts';
import { assistantName, PHONE_NUMBERS, phoneNumber, VOICES } from './assistantPage.mts';
import { measureList, SEVERAL_PAGES_AT_ONCE } from './callLists.mts';
import { CALL_PAGES, CALLING_ASSISTANTS } from './callPage.mts';
import { PER_PAGE } from './listPage.mts';
import { withProbes } from './n8nProbes.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';
import { LATENCY_MS } from './serviceClient.mts';

const AT_ONCE = 10;

/** A list that a user opens or searches, and what it shows. */
interface Picking {
	work: string;
	parameter: string;
	method: string;
	filter?: string;
	values: string[];
	/** of all entries, where they come from more than one list */
	names?: string[];
	requests: number;
}

/** Measures the lists of the editor for a large account, one at a time and ten at the same moment. */
export async function pickers(round: Round): Promise<void> {
	const { results, quick } = round;
	const assistants = quick ? 1_000 : 10_000;
	const calls = quick ? 3_000 : 10_000;
	const size = { assistants, calls };
	const eachOf = async (pickings: Picking[]): Promise<Subject[]> => {
		const subjects: Subject[] = [];
		for (const picking of pickings) {
			subjects.push(await pickAtOnce(round, size, picking.work, [picking]));
		}
		return subjects;
	};

	const opened = await eachOf([callsPicker(calls), assistantsPicker(assistants)]);
	const callSearches = await eachOf([callSearch(calls)]);
	const readingAll = readingAllAssistants(assistants);
	const readAll = await eachOf(readingAll);
	const work = `${AT_ONCE} pickers that read ${counted(assistants)} assistants, at the same moment`;
	const many = Array.from({ length: AT_ONCE }, () => readingAll).flat();
	const together = await pickAtOnce(round, size, work, many.slice(0, AT_ONCE));

	if (quick) return;
	const occasion = ', beside pickers';
	const assistantList = await measureList(round, 'HTTP Request', assistants, {
		of: 'assistants',
		occasion,
	});
	const callList = await measureList(round, 'HTTP Request', CALL_PAGES * PER_PAGE, { occasion });
	const latency = { name: 'latency', value: LATENCY_MS / 1000 };
	for (const subject of opened) {
		results.expect('time', subject, latency, { atMost: 0.5 }, 'difference');
	}
	for (const subject of callSearches) {
		results.expect('time', subject, callList, SEVERAL_PAGES_AT_ONCE);
	}
	for (const subject of readAll) {
		results.expect('time', subject, assistantList, SEVERAL_PAGES_AT_ONCE);
	}
	// Ten read ten times the pages of the list.
	results.expect('time', together, assistantList, { atMost: 3 });
	for (const subject of [...opened, ...callSearches, ...readAll, together]) {
		results.expect('silence', subject, assistantList, { atMost: 0.2 }, 'difference');
	}
}

const counted = (count: number): string => count.toLocaleString('en');

/** Ids as a list shows them: from the first to the last, in steps of 1 or -1. */
const ids = (first: number, count: number, step = 1): string[] =>
	Array.from({ length: count }, (_, index) => String(first + index * step));

const assistantsPicker = (assistants: number): Picking => ({
	work: `picker of ${counted(assistants)} assistants`,
	parameter: 'assistantId',
	method: 'searchAssistants',
	values: ids(1, PER_PAGE),
	requests: 1,
});

/** A search, and the pickers that gather what all assistants use. */
function readingAllAssistants(assistants: number): Picking[] {
	const requests = assistants / PER_PAGE;
	return [
		{
			...assistantsPicker(assistants),
			work: `search for the last of ${counted(assistants)} assistants`,
			filter: `assistant ${assistants}`,
			values: [String(assistants)],
			requests,
		},
		{
			work: `picker of the voices of ${counted(assistants)} assistants`,
			parameter: 'voiceId',
			method: 'searchVoices',
			values: ids(1, VOICES),
			requests,
		},
		{
			work: `picker of the phone numbers of ${counted(assistants)} assistants`,
			parameter: 'phoneNumberId',
			method: 'searchPhoneNumbers',
			values: ids(1, PHONE_NUMBERS),
			names: phoneNumberNames(assistants),
			// One is for calls, which show the numbers.
			requests: requests + 1,
		},
	];
}

/** The calls that the picker reads show the numbers of the first assistants. */
function phoneNumberNames(assistants: number): string[] {
	const others = assistants / PHONE_NUMBERS - 1;
	return Array.from({ length: PHONE_NUMBERS }, (_, index) => {
		// The first assistant with a number has the same ID.
		const id = index + 1;
		const number = id <= CALLING_ASSISTANTS ? phoneNumber(id) : 'Phone number';
		return `${number} (ID ${id}), used by ${assistantName(id)} and ${others} others`;
	});
}

const OF_CALLS = { parameter: 'callId', method: 'searchCalls' };

const callsPicker = (calls: number): Picking => ({
	...OF_CALLS,
	work: `picker of ${counted(calls)} calls`,
	values: ids(calls, PER_PAGE, -1),
	requests: 1,
});

function callSearch(calls: number): Picking {
	const oldest = String(calls - CALL_PAGES * PER_PAGE + 1);
	return {
		...OF_CALLS,
		work: `search for the last of the calls that are read of ${counted(calls)}`,
		filter: oldest,
		values: [oldest],
		requests: CALL_PAGES,
	};
}

/** Measures pickings at the same moment, from the request of the editor to the response of n8n. */
async function pickAtOnce(
	{ environment, results, check }: Round,
	size: { assistants: number; calls: number },
	work: string,
	pickings: Picking[],
): Promise<Subject> {
	const { editor, service, credential, n8n } = environment;
	const catalogue = openCatalogue(editor.rest);
	const subject = { work, by: 'the editor' };
	await check(`${work}: the entries are right, and no page is read twice`, async () => {
		await service.reset(size);
		await withProbes(n8n(), async (between) => {
			const from = Date.now();
			const lists = await Promise.all(
				pickings.map(async ({ filter, parameter, method }) => {
					const target = { node: ACTION, parameter, method, credential };
					return await catalogue.search(target, filter);
				}),
			);
			const to = Date.now();
			const { requests, peakInFlight } = await service.counts();
			assert.deepEqual(
				lists.map((entries) => entries.map(({ value }) => value)),
				pickings.map(({ values }) => values),
			);
			assert.deepEqual(
				lists.map((entries, index) => pickings[index]?.names && entries.map(({ name }) => name)),
				pickings.map(({ names }) => names),
			);
			assert.equal(
				requests,
				pickings.reduce((sum, picking) => sum + picking.requests, 0),
			);
			const time = (to - from) / 1000;
			results.record(subject, { time, requests, peakInFlight, ...between(from, to) });
		});
	});
	return subject;
}
