import { afterAll, describe, expect, it } from '@jest/globals';

import { ACTION } from '../../host/n8n/names.mts';
import type { listSearch } from '../../nodes/VoiceAssistantCalling/methods/listSearch.ts';
import { observe } from '../support/hostileService/observe.mts';
import { ACTION_SUBJECTS } from '../support/hostileService/subjects/actionNode.mts';
import type { MeetingOutcome, Subject } from '../support/hostileService/subjects/subject.mts';
import { seedForSubjects, TRIGGER_SUBJECTS } from '../support/hostileService/subjects/triggers.mts';
import { n8nWith } from '../support/n8n/n8n.mts';
import { packageNodeTypes } from '../support/n8n/package.mts';
import { ALICE } from '../../sandbox/test/support/seed.mts';
import { startService, type Service } from '../../sandbox/test/support/service.mts';
import { sampled } from '../support/sample.mts';

/**
 * Everything of the package works at both services that the sandbox plays: each operation, picker and test of
 * the credential, and what each trigger does when a workflow is published, polls and is unpublished.
 */
const start = async (service: 'contract' | 'current') => {
	// The poll trigger compares the times of calls with n8n's clock.
	const clock = { mode: 'manual', now: new Date().toISOString() } as const;
	const started = await startService({ seed: seedForSubjects(), service, clock });
	await started.control.saveSnapshot('initial');
	return { service: started, initial: await readState(started) };
};

/** All that Alice has, by the path that shows it. A service may ignore a request, and answer 200. */
async function readState({ alice }: Service): Promise<Map<string, string>> {
	const state = new Map<string, string>();
	for (const path of ['assistants/get', 'tools', 'leads', 'campaigns', 'calls', 'me']) {
		const { text } = await alice.request('GET', `/user/${path}`, { ignoreContract: true });
		// Their links have the port of the service.
		state.set(path, text.replaceAll(/127\.0\.0\.1:\d+/g, 'host'));
	}
	return state;
}

const both = [await start('contract'), await start('current')] as const;
afterAll(() => Promise.all(both.map(({ service }) => service.close())));

const NOT_HERE = [
	// The writes of a publish are the publish once more.
	/^the writes of/,
	// Its number is none, so that no service sends it.
	/^customApiCall: POST$/,
];
const SUBJECTS = [...ACTION_SUBJECTS, ...TRIGGER_SUBJECTS].filter(
	({ name }) => !NOT_HERE.some((pattern) => pattern.test(name)),
);

const AS_IT_IS = { name: 'the service as it is', handler: () => undefined };

/** Why something did not work; undefined if it did. */
function failureOf({ thrown, shown }: MeetingOutcome): unknown {
	// The test of a credential shows its result.
	const isOk = typeof shown === 'object' && shown !== null && Reflect.get(shown, 'status') === 'OK';
	return thrown ?? (isOk ? undefined : shown);
}

/** Whether it fails, and whether it changes anything. */
async function tryAt({ service, initial }: (typeof both)[number], subject: Subject) {
	await service.control.restoreSnapshot('initial');
	const { outcome } = await observe(AS_IT_IS, { ...subject, isHit: () => false }, service);
	if (!outcome) throw new Error(`It did not end within ${subject.limitMs} ms.`);
	const state = await readState(service);
	const hasChanged = [...state].some(([path, text]) => text !== initial.get(path));
	return { failure: failureOf(outcome), hasChanged };
}

describe('at both services', () => {
	it.each(sampled(SUBJECTS, 2))('$name works, and changes what it should', async (subject) => {
		const [contract, current] = both;
		const atContract = await tryAt(contract, subject);
		expect(atContract.failure).toBeUndefined();
		// One after the other, because the clock is turned for each.
		const atCurrent = await tryAt(current, subject);
		expect(atCurrent).toEqual(atContract);
	});

	const pickers = Object.keys(packageNodeTypes.get(ACTION)?.methods?.listSearch ?? {});
	it.each(pickers)('%s finds something', async (name) => {
		const counts = await Promise.all(
			both.map(async ({ service: { url, control } }) => {
				await control.restoreSnapshot('initial');
				const n8n = n8nWith({ baseUrl: url, apiToken: ALICE });
				const { results } = await n8n.listSearch(name as keyof typeof listSearch);
				// An entry that says why there is nothing has no value.
				return results.filter(({ value }) => value !== false).length;
			}),
		);
		expect(counts.map((count) => count > 0)).toEqual([true, true]);
	});
});
