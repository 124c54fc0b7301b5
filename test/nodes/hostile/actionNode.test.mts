import { expect, it } from '@jest/globals';
import { BEHAVIOURS } from '../../support/hostileService/behaviours.mts';
import { meet } from '../../support/hostileService/meet.mts';
import { ACTION_SUBJECTS } from '../../support/hostileService/subjects/actionNode.mts';
import { seedForSubjects } from '../../support/hostileService/subjects/triggers.mts';
import { whoMeets } from '../../support/hostileService/whoMeets.mts';
import { startTestService } from '../../../sandbox/test/support/testService.mts';
import { onlyInFull } from '../../support/sample.mts';

const service = await startTestService({ seed: seedForSubjects() });

for (const behaviour of BEHAVIOURS) {
	const test = behaviour.isFlood ? onlyInFull(it) : it;
	test(`the action node meets ${behaviour.name}`, async () => {
		expect(await meet(behaviour, whoMeets(behaviour, ACTION_SUBJECTS), service)).toEqual([]);
	});
}
