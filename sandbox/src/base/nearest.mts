import { distance } from 'fastest-levenshtein';

/** The known name that somebody probably meant; undefined when none is near. */
function nearest(written: string, known: readonly string[]): string | undefined {
	const text = written.toLowerCase();
	const distances = known.map((name) => ({ name, steps: distance(text, name.toLowerCase()) }));
	const [best] = distances.sort((one, other) => one.steps - other.steps);
	// A third of the letters: "colck" is near "clock", "colour" is not.
	return best && best.steps <= Math.ceil(text.length / 3) ? best.name : undefined;
}

/** ` Did you mean …?`, to be added to a message; empty when no known name is near. */
export function didYouMean(written: string, known: readonly string[], prefix = ''): string {
	const name = nearest(written, known);
	return name === undefined ? '' : ` Did you mean ${prefix}${name}?`;
}
