import { expect, it } from '@jest/globals';
import { BEHAVIOURS } from '../../support/hostileService/behaviours/index.mts';
import { meet } from '../../support/hostileService/meet.mts';
import { ACTION_SUBJECTS } from '../../support/hostileService/subjects/actionNode.mts';
import { seedForSubjects } from '../../support/hostileService/subjects/seed.mts';
import { startTestService } from '../../support/sandbox/testService.mts';

const service = await startTestService({ seed: seedForSubjects() });

it.each(BEHAVIOURS)('the action node meets $name', async (behaviour) => {
	expect(await meet(behaviour, ACTION_SUBJECTS, service)).toEqual([]);
});
