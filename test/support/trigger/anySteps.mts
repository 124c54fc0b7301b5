import fc from 'fast-check';
import { sampledRuns } from '../sample.mts';
import { withoutWaits } from './withoutWaits.mts';

/** Far beyond what the steps need, also on a busy machine. */
export const LIMIT_MS = 60_000;

/** A step that is possible at any time. It changes the model as it should change the real objects. */
export const command = <Model extends object, Real>(
	name: string,
	run: (model: Model, real: Real) => Promise<void>,
): fc.AsyncCommand<Model, Real> => ({ check: () => true, run, toString: () => name });

/**
 * Runs any steps in any order, as many times as there are steps at most; see {@link sampledRuns}.
 *
 * @param begin makes a new model and new real objects
 */
export const expectForAnySteps = <Model extends object, Real>(
	begin: () => Promise<{ model: Model; real: Real }>,
	steps: Array<fc.Arbitrary<fc.AsyncCommand<Model, Real>>>,
	count: number,
): Promise<void> =>
	withoutWaits(() =>
		fc.assert(
			fc.asyncProperty(
				fc.commands<Model, Real, false>(steps, { maxCommands: count, size: 'max' }),
				(commands) => fc.asyncModelRun(begin, commands),
			),
			{ numRuns: sampledRuns(count) },
		),
	);
