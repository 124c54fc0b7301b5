import type { Fault } from '../base/checkInput.mts';
import type { FieldErrors } from '../base/apiError.mts';
import { InvalidInput } from '../base/invalidInput.mts';

/** A message with more lines helps nobody. */
const MAX_LINES = 100;

/** A seed cannot be used. The message names every fault and its place. */
export class InvalidSeed extends InvalidInput {
	/**
	 * @param seed what it is called: "The seed file my.yaml"
	 * @param faults in the order in which they are told; `at` is `FILE:LINE:COL` in a file
	 */
	constructor(seed: string, faults: Array<Fault & { at?: string | undefined }>) {
		const lines = faults
			.slice(0, MAX_LINES)
			.map(
				({ at, path, message }) => `${[at, path.join('.')].filter(Boolean).join(' ')}: ${message}`,
			);
		if (faults.length > MAX_LINES) lines.push(`… and ${faults.length - MAX_LINES} more`);
		const beginning =
			faults.length === 1
				? `${seed} has a fault. Fix it, then start again:`
				: `${seed} has ${faults.length} faults. Fix them, then start again:`;
		super([beginning, ...lines].join('\n'), { errors: messagesByPath(faults) });
	}
}

function messagesByPath(faults: Fault[]): FieldErrors {
	const groups = Map.groupBy(faults, ({ path }) => path.join('.'));
	return Object.fromEntries(
		Array.from(groups, ([path, all]) => [path, all.map(({ message }) => message)]),
	);
}
