import { Random } from './random.mts';

/**
 * A number in [0, 1) that is always the same for the same values. Unlike those of a generator, it does not
 * depend on what was drawn before.
 *
 * @param what it is drawn for, such as `read-time`
 * @param number of the request or record
 */
function drawn(seed: number, what: string, number: number): number {
	// FNV-1a: neighbouring numbers must not give neighbouring states.
	let hash = 0x811c9dc5;
	for (const char of `${seed} ${what} ${number}`) {
		hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
	}
	return new Random(hash).next();
}

/** Whether it is one in so many; null means none. */
export const isDrawn = (
	oneIn: number | null,
	seed: number,
	what: string,
	number: number,
): boolean => oneIn !== null && drawn(seed, what, number) < 1 / oneIn;

/** Milliseconds between `from` and `to`, rounded. */
export const drawnTime = (
	{ from, to }: { from: number; to: number },
	seed: number,
	what: string,
	number: number,
): number => Math.round(from + drawn(seed, what, number) * (to - from));
