import { hasUnknownOutcome } from '../../../shared/client/errors';
import type { BuiltItem } from '../builtItem';
import type { HeldBack } from '../heldBack';
import type { RunMemory } from './runMemory';
import type { EndedRun, Step } from './step';

/**
 * What must not be sent again when n8n repeats a run (*Retry On Fail*): items that succeeded, and writes whose
 * outcome is unknown.
 */
export class FirstTry implements Step {
	private readonly ended: RunMemory['ended'];

	constructor({ ended }: RunMemory) {
		this.ended = ended;
	}

	look({ index }: BuiltItem): HeldBack | undefined {
		const outcome = this.ended.get(index);
		return outcome && { outcome };
	}

	/** It was sent, whatever its fields say now. */
	goesOnAfter(item: number): boolean {
		return 'items' in (this.ended.get(item) ?? {});
	}

	/** Remembers how items ended. Those that this try did not reach end as in an earlier one. */
	runEnds({ outcomes, details }: EndedRun): void {
		const { ended } = this;
		for (const [item, outcome] of outcomes.entries()) {
			// One that was sent can fail before it is looked at: its expression gives another value now.
			outcomes[item] = ended.get(item) ?? outcome;
			if (ended.has(item)) continue;
			const isFinal = outcome && ('items' in outcome || hasUnknownOutcome(outcome.error));
			if (isFinal && !details[item]?.heldBack?.isDecidedAgain) ended.set(item, outcome);
		}
	}
}
