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

	lookBack(index: number): HeldBack | undefined {
		return this.ended.get(index);
	}

	look({ index }: BuiltItem): HeldBack | undefined {
		return this.lookBack(index);
	}

	/** Remembers how items ended. Those that this try did not reach end as in an earlier one. */
	runEnds({ outcomes, details }: EndedRun): void {
		const { ended } = this;
		for (const [item, outcome] of outcomes.entries()) {
			outcomes[item] = ended.get(item)?.outcome ?? outcome;
			if (ended.has(item)) continue;
			const isFinal = outcome && ('items' in outcome || hasUnknownOutcome(outcome.error));
			const heldBack = details[item]?.heldBack;
			if (isFinal && !heldBack?.isDecidedAgain) ended.set(item, { ...heldBack, outcome });
		}
	}
}
