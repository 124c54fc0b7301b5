import { isInSample } from '../sample.mts';
import { BEHAVIOURS, type Behaviour } from './behaviours.mts';
import type { Subject } from './subjects/subject.mts';

/**
 * Who meets a hostile service: all subjects, or the typical ones if it is heavy. In a sample, the typical
 * subjects meet one in four services that are quick, and everything else is there in smaller part.
 */
export function whoMeets(behaviour: Behaviour, subjects: Subject[]): Subject[] {
	const { isHeavy, isEndlessList } = behaviour;
	const row = BEHAVIOURS.indexOf(behaviour);
	return subjects.filter(({ isTypical }, column) => {
		if (isHeavy && !isTypical) return false;
		const isOften = isTypical && !isHeavy && !isEndlessList;
		return isInSample(row, column) || (isOften && isInSample(row, column, 4));
	});
}
