import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
} from 'n8n-workflow';

import { DescribedError } from '../client/errors';

/** An entry of a picker. */
export type Entry = INodeListSearchItems;

/**
 * A sentence in the place of entries. It cannot be picked, because n8n ignores a click on an entry whose
 * value is a boolean (n8n.md#entries-of-a-picker). It has one line: n8n cuts off what does not fit, after about 55
 * characters.
 */
export const toMessageEntry = (text: string): Entry => ({ name: text, value: false });

/** Spaces and signs do not matter, as in a phone number. */
const compact = (text: string) => text.toLowerCase().replace(/[\s()./-]/g, '');

/**
 * Whether an entry fits what the user types.
 *
 * @param filter part of the name, or an ID
 */
export function matchesFilter(filter: string): (entry: Entry) => boolean {
	const wanted = compact(filter);
	return ({ name, value }) => compact(name).includes(wanted) || String(value) === wanted;
}

/**
 * A name with what tells records of the same name apart: *Reception (ID 2, inbound)*. What differs
 * most comes first, because n8n cuts off the end in a narrow field.
 */
export const withDetails = (name: string, ...details: string[]): string =>
	`${name.trim() || 'Unnamed'} (${details.filter((detail) => detail !== '').join(', ')})`;

const collator = new Intl.Collator('en', { numeric: true });

/** Ascending order of texts with numbers: *Voice 2* comes before *Voice 10*. */
export const byName = (left: Entry, right: Entry): number =>
	collator.compare(left.name, right.name);

/**
 * Words the failure of a picker for the editor, which shows it in place of the list and only its message
 * (n8n.md#entries-of-a-picker). A click on the picker then tries again.
 *
 * @param mode the mode in which the user can enter the value instead
 * @throws {NodeOperationError} when the list cannot be read
 */
export async function withManualEntryHint<List>(
	context: ILoadOptionsFunctions,
	list: Promise<List>,
	mode = 'By ID',
): Promise<List> {
	return await list.catch((error: unknown) => {
		if (!(error instanceof DescribedError)) throw error;
		const text = `${error.text} You can also choose '${mode}'.`;
		throw new NodeOperationError(context.getNode(), text);
	});
}
