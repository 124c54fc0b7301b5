import type { JobSource } from '../base/jobSource.mts';
import type { Timer } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import type { SandboxEngine } from './engine.mts';

/** The action for each kind of timer. @param subjectId id of the call or campaign */
type TimerActions = {
	[Kind in Timer['kind']]: (context: Context, subjectId: number) => void;
};

/** The stored timers: next steps of calls, next attempts of leads. */
export function timerJobs(engine: SandboxEngine, actions: TimerActions): JobSource {
	const next = (): Timer | undefined => engine.state.timers.first([], { by: 'due' });
	/** Timer and action share a transaction: after a crash either both or neither happened. */
	const run = ({ id, kind, subject_id, due }: Timer): void =>
		engine.clock.at(due, () =>
			engine.commit((context) => {
				context.state.timers.delete(id);
				actions[kind](context, subject_id);
			}),
		);
	return {
		nextDue: () => next()?.due,
		runDue(time) {
			let count = 0;
			for (let timer = next(); timer && timer.due <= time; timer = next()) {
				run(timer);
				count += 1;
			}
			return count;
		},
		settled: () => Promise.resolve(),
	};
}
