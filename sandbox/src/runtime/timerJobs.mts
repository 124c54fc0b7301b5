import type { JobSource } from '../base/jobSource.mts';
import type { Timer } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import type { SandboxEngine } from './engine.mts';

/** The action for each kind of timer. @param subjectId id of the call or campaign */
type TimerActions = {
	[Kind in Timer['kind']]: (context: Context, subjectId: number) => void;
};

/** The stored timers: next steps of calls, next attempts of leads. */
export class TimerJobs implements JobSource {
	readonly #engine: SandboxEngine;
	readonly #actions: TimerActions;

	constructor(engine: SandboxEngine, actions: TimerActions) {
		this.#engine = engine;
		this.#actions = actions;
	}

	nextDue(): number | undefined {
		return this.#next()?.due;
	}

	runDue(time: number): number {
		let run = 0;
		for (let timer = this.#next(); timer && timer.due <= time; timer = this.#next()) {
			this.#run(timer);
			run += 1;
		}
		return run;
	}

	settled(): Promise<void> {
		return Promise.resolve();
	}

	/** Timer and action share a transaction: after a crash either both or neither happened. */
	#run({ id, kind, subject_id, due }: Timer): void {
		this.#engine.clock.at(due, () =>
			this.#engine.commit((context) => {
				context.state.timers.delete(id);
				this.#actions[kind](context, subject_id);
			}),
		);
	}

	#next(): Timer | undefined {
		return this.#engine.state.timers.first([], { by: 'due' });
	}
}
