import type { INodeListSearchItems } from 'n8n-workflow';

/** An entry of a picker. */
export type Entry = INodeListSearchItems;

/**
 * A sentence in the place of entries. It cannot be picked, because n8n ignores a click on an entry whose
 * value is a boolean (n8n 2.0, 2.41). It has one line: n8n cuts off what does not fit, after about 55
 * characters.
 */
export const sentence = (text: string): Entry => ({ name: text, value: false });

/** Spaces and signs do not matter, as in a phone number. */
const compact = (text: string) => text.toLowerCase().replace(/[\s()./-]/g, '');

/**
 * Whether an entry fits what the user types.
 *
 * @param filter part of the name, or an ID
 */
export function matches(filter: string): (entry: Entry) => boolean {
	const wanted = compact(filter);
	return ({ name, value }) => compact(name).includes(wanted) || String(value) === wanted;
}

/**
 * A name with what tells records of the same name apart: *Reception (ID 2, inbound)*. What differs
 * most comes first, because n8n cuts off the end in a narrow field.
 */
export const named = (name: string, ...details: string[]): string =>
	`${name.trim() || 'Unnamed'} (${details.filter((detail) => detail !== '').join(', ')})`;

const collator = new Intl.Collator('en', { numeric: true });

/** Ascending order of texts with numbers: *Voice 2* comes before *Voice 10*. */
export const byName = (left: Entry, right: Entry): number =>
	collator.compare(left.name, right.name);
