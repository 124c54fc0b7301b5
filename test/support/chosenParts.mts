/** Parts of a suite, by their names. */
type Parts<T> = Record<string, (environment: T) => Promise<void>>;

/**
 * Chooses parts of a suite.
 *
 * @param words parts of names; without any, all parts are chosen
 * @returns gives those parts of a group that were chosen
 * @throws Error with all names when none is chosen
 */
export function chosenParts(words: string[], ...groups: object[]) {
	const isChosen = (name: string) =>
		words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));
	const names = groups.flatMap((group) => Object.keys(group));
	if (!names.some(isChosen)) {
		throw new Error(`No part has such a name. There are: ${names.join(', ')}`);
	}
	return async <T,>(group: Parts<T>, environment: T): Promise<void> => {
		for (const [name, run] of Object.entries(group)) if (isChosen(name)) await run(environment);
	};
}
