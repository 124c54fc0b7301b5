/**
 * Finds a name that a list has twice. Case makes no difference to the headers of HTTP, and a person does
 * not hear it in the name of a parameter.
 *
 * @returns the first such name, as it is written the second time, without spaces around it
 */
export function repeatedName(names: string[]): string | undefined {
	const known = names.map((name) => name.trim().toLowerCase());
	return names.find((_, index) => known.indexOf(known[index] ?? '') < index)?.trim();
}
