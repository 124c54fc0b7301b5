import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, inUseEntries, type InUse } from '../../shared/assistants/inUse';
import { listPages } from '../../shared/client/listPages';
import { withDetails, withManualEntryHint } from '../../shared/pickers/entries';
import { recordShapes } from '../../shared/records/recordShapes';
import { toIsoTime } from '../../shared/records/timestamps';
import { asText, recordsIn } from '../../shared/values/json';

/** Assistants without a number count too, because a call names its assistant by name only. */
const getPhoneNumbers = ({ phone_number_id: id }: IDataObject) => [{ value: asText(id), name: '' }];

/** Reads some calls, which show the numbers themselves; none when they cannot be read. */
async function someCalls(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const readPage = listPages(context, { path: '/user/calls', record: recordShapes.call });
	// The list of assistants was read, so the picker is useful without the numbers.
	const envelope = await readPage(1).catch(() => ({ data: [] }));
	return recordsIn(envelope.data);
}

/** The assistants of one name. */
interface AssistantsOfName {
	/** IDs of their phone numbers. */
	ids: Set<string>;
	/** When one of their records last changed, in milliseconds since 1970. NaN when it is unknown. */
	changedAt: number;
}

/** A phone number that a call shows. */
interface SeenNumber {
	number: string;
	/** Whether the call came after the last change. Before it, the assistant may have had another number. */
	isCurrent: boolean;
}

/** Call records name no time zone (assumed: time-zone). */
const toMilliseconds = (time: IDataObject[string]) => Date.parse(asText(toIsoTime(time)));

function assistantsByName(inUse: InUse[]): Map<string, AssistantsOfName> {
	const byName = new Map<string, AssistantsOfName>();
	for (const { value, users } of inUse) {
		for (const { name, updatedAt } of users) {
			const known = byName.get(name) ?? { ids: new Set<string>(), changedAt: 0 };
			known.ids.add(value);
			known.changedAt = Math.max(known.changedAt, toMilliseconds(updatedAt));
			byName.set(name, known);
		}
	}
	return byName;
}

/** The current number, or the only one of earlier calls; undefined when there are several. */
function shownNumber(seen: SeenNumber[]): SeenNumber | undefined {
	const current = seen.filter(({ isCurrent }) => isCurrent);
	const [first, ...others] = current.length > 0 ? current : seen;
	return others.every(({ number }) => number === first?.number) ? first : undefined;
}

/** Nobody knows whether a number of earlier calls is still that of the ID, so the ID comes first then. */
const toName = (id: string, seen?: SeenNumber): string =>
	seen === undefined || seen.isCurrent
		? withDetails(seen?.number ?? 'Phone number', `ID ${id}`)
		: withDetails(`ID ${id}`, `was ${seen.number}`);

/**
 * Finds out which number belongs to which ID. A record of an assistant has the ID, a record of a call
 * has the number, and the name of the assistant connects them.
 *
 * @returns a function that gives the number of an ID; undefined when names and calls leave several
 */
function numbersById(inUse: InUse[], calls: IDataObject[]): (id: string) => SeenNumber | undefined {
	const byName = assistantsByName(inUse);
	const seenById = new Map<string, SeenNumber[]>();
	for (const call of calls) {
		const assistants = byName.get(asText(call.assistant_name).trim());
		const number = asText(call.assistant_phone_number);
		const [id, ...others] = assistants?.ids ?? [];
		if (!assistants || !id || others.length > 0 || number === '') continue;
		// A time that is unknown is never later.
		const isCurrent = toMilliseconds(call.created_at) > assistants.changedAt;
		seenById.set(id, [...(seenById.get(id) ?? []), { number, isCurrent }]);
	}
	return (id) => shownNumber(seenById.get(id) ?? []);
}

/**
 * Lists the phone numbers that the account's assistants have. The contract shows no list of phone
 * numbers.
 */
export async function searchPhoneNumbers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { inUse, isComplete } = await withManualEntryHint(this, gatherInUse(this, getPhoneNumbers));
	// Another assistant of the same name may be among those that were not read.
	const getPhoneNumber = numbersById(inUse, isComplete ? await someCalls(this) : []);
	const withNumbers = inUse
		.filter(({ value }) => value !== '')
		.map((each) => ({
			...each,
			name: toName(each.value, getPhoneNumber(each.value)),
		}));
	const none = "No assistant has a phone number. Choose 'By ID'.";
	return { results: inUseEntries({ inUse: withNumbers, isComplete }, none, filter) };
}
