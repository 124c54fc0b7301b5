import assert from 'node:assert/strict';

import { openCatalogue } from '../../host/api/catalogue.mts';
import { ACTION } from '../../host/n8n/names.mts';
import { PHONE_NUMBERS, VOICES } from './assistantPage.mts';
import { measureList } from './callLists.mts';
import { withProbes } from './n8nProbes.mts';
import type { Subject } from './results.mts';
import type { Round } from './round.mts';

const PER_PAGE = 100;
/** The most pages that the picker of calls reads. */
const CALL_PAGES = 20;
const AT_ONCE = 10;

/** A list that a user opens or searches, and what it shows. */
interface Picking {
	work: string;
	parameter: string;
	method: string;
	filter?: string;
	values: string[];
	requests: number;
}

/** Measures the lists of the editor for a large account, one at a time and ten at the same moment. */
export async function pickers(round: Round): Promise<void> {
	const { results, quick } = round;
	const assistants = quick ? 1_000 : 10_000;
	const size = { assistants, calls: quick ? 3_000 : 10_000 };
	const others = [...ofCalls(size.calls), assistantsPicker(assistants)];
	const readingAll = readingAllAssistants(assistants);

	const subjects: Subject[] = [];
	for (const picking of [...others, ...readingAll]) {
		subjects.push(await pickAtOnce(round, size, picking.work, [picking]));
	}
	const many = Array.from({ length: AT_ONCE }, (_, index) => readingAll[index % readingAll.length]);
	const work = `${AT_ONCE} pickers that read ${counted(assistants)} assistants, at the same moment`;
	subjects.push(
		await pickAtOnce(
			round,
			size,
			work,
			many.filter((one) => one !== undefined),
		),
	);

	if (quick) return;
	const beside = await measureList(round, 'HTTP Request', assistants, {
		of: 'assistants',
		occasion: ', beside pickers',
	});
	for (const subject of subjects) {
		results.expect('silence', subject, beside, { atMost: 0.2 }, 'difference');
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
			// One is for calls, which show the numbers.
			requests: requests + 1,
		},
	];
}

/** The picker of calls, and a search in it. */
function ofCalls(calls: number): Picking[] {
	const picker = { parameter: 'callId', method: 'searchCalls' };
	const oldest = String(calls - CALL_PAGES * PER_PAGE + 1);
	return [
		{
			...picker,
			work: `picker of ${counted(calls)} calls`,
			values: ids(calls, PER_PAGE, -1),
			requests: 1,
		},
		{
			...picker,
			work: `search for the last of the calls that are read of ${counted(calls)}`,
			filter: oldest,
			values: [oldest],
			requests: CALL_PAGES,
		},
	];
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
