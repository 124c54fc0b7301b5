import { expect, it } from '@jest/globals';
import { BEHAVIOURS } from '../../support/hostileService/behaviours.mts';
import { meet } from '../../support/hostileService/meet.mts';
import { ACTION_SUBJECTS } from '../../support/hostileService/subjects/actionNode.mts';
import {
	seedForSubjects,
	TRIGGER_SUBJECTS,
} from '../../support/hostileService/subjects/triggers.mts';
import { whoMeets } from '../../support/hostileService/whoMeets.mts';
import { packageNodeTypes } from '../../support/n8n/package.mts';
import { startTestService } from '../../../sandbox/test/support/testService.mts';
import { onlyInFull } from '../../support/sample.mts';

/** The poll trigger compares the times of calls with n8n's clock. */
const now = new Date().toISOString();
const service = await startTestService({
	seed: seedForSubjects(),
	clock: { mode: 'manual', now },
});

for (const behaviour of BEHAVIOURS) {
	const test = behaviour.isFlood ? onlyInFull(it) : it;
	test(`the triggers meet ${behaviour.name}`, async () => {
		expect(await meet(behaviour, whoMeets(behaviour, TRIGGER_SUBJECTS), service)).toEqual([]);
	});
}

it('every node of the package meets hostile services', () => {
	const types = new Set([...ACTION_SUBJECTS, ...TRIGGER_SUBJECTS].map(({ type }) => type));
	expect([...types].sort()).toEqual([...packageNodeTypes.keys()].sort());
});
