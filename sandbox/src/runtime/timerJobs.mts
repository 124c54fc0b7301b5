import type { Context } from '../domain/context.mts';
import type { Timer } from '../store/records.mts';
import type { Engine } from './engine.mts';
import type { Agenda } from './scheduler.mts';

/** What to do when a timer of each kind is due, given the id it is about. */
export type TimerActions = {
	[Kind in Timer['kind']]: (context: Context, subjectId: number) => void;
};

/** The stored timers: calls that go on, campaigns that call again. */
export class TimerAgenda implements Agenda {
	readonly #engine: Engine;
	readonly #actions: TimerActions;

	constructor(engine: Engine, actions: TimerActions) {
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

	/** Timer and consequences in one transaction: after a crash either both or neither happened. */
	#run({ id, kind, subject_id, due }: Timer): void {
		this.#engine.clock.at(due, () =>
			this.#engine.commit((context) => {
				context.state.timers.delete(id);
				this.#actions[kind](context, subject_id);
			}),
		);
	}

	#next(): Timer | undefined {
		return this.#engine.store.state.timers.first([], { by: 'due' });
	}
}
