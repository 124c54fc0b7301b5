import { describe, expect, it } from '@jest/globals';
import { BEHAVIOURS, type Behaviour } from '../../support/hostileService/behaviours.mts';
import { meet } from '../../support/hostileService/meet.mts';
import { ACTION_SUBJECTS } from '../../support/hostileService/subjects/actionNode.mts';
import { seedForSubjects } from '../../support/hostileService/subjects/triggers.mts';
import { whoMeets } from '../../support/hostileService/whoMeets.mts';
import { startTestService } from '../../../sandbox/test/support/testService.mts';
import { onlyInFull } from '../../support/sample.mts';

const service = await startTestService({ seed: seedForSubjects() });

describe('the action node', () => {
	const expectNothing = async (behaviour: Behaviour) => {
		expect(await meet(behaviour, whoMeets(behaviour, ACTION_SUBJECTS), service)).toEqual([]);
	};
	it.each(BEHAVIOURS.filter(({ isFlood }) => !isFlood))('meets $name', expectNothing);
	onlyInFull(it).each(BEHAVIOURS.filter(({ isFlood }) => isFlood))('meets $name', expectNothing);
});
