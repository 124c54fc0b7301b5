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

/** What a user does with a list of the editor, and what comes of it. */
interface Picking {
	work: string;
	parameter: string;
	method: string;
	filter?: string;
	entries: number;
	requests: number;
}

/** Measures the lists of the editor for a large account, one at a time and ten at the same moment. */
export async function pickers(round: Round): Promise<void> {
	const { environment, results, quick, check } = round;
	const { editor, service, credential, n8n } = environment;
	const catalogue = openCatalogue(editor.rest);
	const assistants = quick ? 1_000 : 10_000;
	const calls = quick ? 3_000 : 10_000;
	const pages = assistants / PER_PAGE;
	const size = assistants.toLocaleString('en');

	const ofAssistants = { parameter: 'assistantId', method: 'searchAssistants' };
	const ofCalls = { parameter: 'callId', method: 'searchCalls' };
	const first: Picking = {
		work: `picker of ${size} assistants`,
		...ofAssistants,
		entries: PER_PAGE,
		requests: 1,
	};
	const last: Picking = {
		work: `search for the last of ${size} assistants`,
		...ofAssistants,
		filter: `assistant ${assistants}`,
		entries: 1,
		requests: pages,
	};
	const voices: Picking = {
		work: `picker of the voices of ${size} assistants`,
		parameter: 'voiceId',
		method: 'searchVoices',
		entries: VOICES,
		requests: pages,
	};
	const phoneNumbers: Picking = {
		work: `picker of the phone numbers of ${size} assistants`,
		parameter: 'phoneNumberId',
		method: 'searchPhoneNumbers',
		entries: PHONE_NUMBERS,
		// and one for the calls, which show the numbers
		requests: pages + 1,
	};
	const newest: Picking = {
		work: `picker of ${calls.toLocaleString('en')} calls`,
		...ofCalls,
		entries: PER_PAGE,
		requests: 1,
	};
	const oldest: Picking = {
		work: `search in ${calls.toLocaleString('en')} calls, to the last that is read`,
		...ofCalls,
		filter: String(calls - CALL_PAGES * PER_PAGE + 1),
		entries: 1,
		requests: CALL_PAGES,
	};

	/** Lets users pick at the same moment. */
	const measure = async (work: string, pickings: Picking[]): Promise<Subject> => {
		const subject = { work, by: 'the editor' };
		await check(`${work}: the entries are right, and no page is read twice`, async () => {
			await service.reset({ assistants, calls });
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
					lists.map((entries) => entries.length),
					pickings.map(({ entries }) => entries),
				);
				const wanted = pickings.reduce((sum, picking) => sum + picking.requests, 0);
				assert.equal(requests, wanted);
				const time = (to - from) / 1000;
				results.record(subject, { time, requests, peakInFlight, ...between(from, to) });
			});
		});
		return subject;
	};

	const subjects: Subject[] = [];
	for (const picking of [first, last, voices, phoneNumbers, newest, oldest]) {
		subjects.push(await measure(picking.work, [picking]));
	}
	const longest = [last, voices, phoneNumbers];
	const many = Array.from(
		{ length: AT_ONCE },
		(_, index) => longest[index % longest.length] ?? last,
	);
	const work = `${AT_ONCE} searches and pickers of ${size} assistants at the same moment`;
	subjects.push(await measure(work, many));
	if (quick) return;
	const beside = await measureList(round, 'HTTP Request', assistants, {
		of: 'assistants',
		occasion: ', beside pickers',
	});
	for (const subject of subjects) {
		results.expect('silence', subject, beside, { atMost: 0.2 }, 'difference');
	}
}
