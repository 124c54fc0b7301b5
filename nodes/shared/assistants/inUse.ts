import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { byName, matches, toMessageEntry, type Entry } from '../pickers/entries';
import { MAX_PICKER_RECORDS, visitPages } from '../pickers/visitPages';
import { asText } from '../values/json';
import { assistantPages, isDeleted } from './find';

/** Something that assistants use, such as a voice. */
interface InUse {
	value: string;
	/** As the picker shows it. */
	name: string;
	/** The names of the assistants that use it, at least one. */
	users: string[];
}

/** What assistants use, and whether all assistants were read. */
interface Gathered {
	inUse: InUse[];
	isComplete: boolean;
}

/** Finds what one assistant uses, in its record. */
type UsedBy = (assistant: IDataObject) => Array<Pick<InUse, 'value' | 'name'>>;

/**
 * Gathers what the account's assistants use. The contract shows no list of tools, voices and phone
 * numbers, but each assistant's record has its own.
 *
 * @returns each value once, in the order of the list
 * @throws {DescribedError} when the list of assistants cannot be read
 */
export async function gatherInUse(
	context: ILoadOptionsFunctions,
	usedBy: UsedBy,
): Promise<Gathered> {
	const found = new Map<string, InUse>();
	const readEnvelope = await assistantPages(context);
	const next = await visitPages(readEnvelope, 1, (records) => {
		for (const assistant of records.filter((record) => !isDeleted(record))) {
			for (const { value, name } of usedBy(assistant)) {
				const known = found.get(value) ?? { value, name, users: [] };
				known.users.push(asText(assistant.name).trim() || `Assistant ${asText(assistant.id)}`);
				found.set(value, known);
			}
		}
		return true;
	});
	return { inUse: [...found.values()], isComplete: next === undefined };
}

/** An entry of a picker: *Voice 1, used by Reception and 2 others*. */
function toUsageEntry({ value, name, users }: InUse): Entry {
	const [first] = users;
	const others = users.length - 1;
	const more = others === 0 ? '' : ` and ${others} other${others === 1 ? '' : 's'}`;
	return { name: `${name}, used by ${first}${more}`, value };
}

/** The entries that fit the filter, by name. A sentence says why there is nothing, or not everything. */
export function inUseEntries({ inUse, isComplete }: Gathered, none: string, filter = ''): Entry[] {
	const entries = inUse.map(toUsageEntry);
	const fitting = entries.filter(matches(filter)).sort(byName);
	if (!isComplete) {
		const limit = MAX_PICKER_RECORDS.toLocaleString('en');
		return [...fitting, toMessageEntry(`From your first ${limit} assistants. Others: By ID.`)];
	}
	return entries.length === 0 ? [toMessageEntry(none)] : fitting;
}
