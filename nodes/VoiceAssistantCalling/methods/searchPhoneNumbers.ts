import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, inUseEntries, type InUse } from '../../shared/assistants/inUse';
import { asText, recordsIn } from '../../shared/client/json';
import { MAX_PER_PAGE } from '../../shared/client/pages';
import { serviceRequest } from '../../shared/client/request';
import { named } from '../../shared/pickers/entries';
import { withWayOut } from '../../shared/pickers/withWayOut';

/** Assistants without a number count too, because a call names its assistant by name only. */
const numbersOf = ({ phone_number_id: id }: IDataObject) => [{ value: asText(id), name: '' }];

/** Reads some calls, which show the numbers themselves; none when they cannot be read. */
async function someCalls(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const qs = { page: 1, per_page: MAX_PER_PAGE };
	const request = { method: 'GET', path: '/user/calls', qs } as const;
	// The list of assistants was read, so the picker is useful without the numbers.
	const envelope = await serviceRequest.call(context, request).catch(() => ({ data: [] }));
	return recordsIn(envelope.data);
}

/** Adds a value to the set of a key. */
function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
	sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

const onlyOne = (values?: Set<string>) => (values?.size === 1 ? [...values][0] : undefined);

/**
 * Finds out which number belongs to which ID. A record of an assistant has the ID, a record of a call
 * has the number, and the name of the assistant connects them.
 *
 * @returns the numbers by ID, only where names and calls leave no doubt
 */
function numbersById(inUse: InUse[], calls: IDataObject[]): Map<string, string> {
	const idsByName = new Map<string, Set<string>>();
	for (const { value, users } of inUse) {
		for (const name of users) addTo(idsByName, name, value);
	}
	const numbers = new Map<string, Set<string>>();
	for (const { assistant_name: name, assistant_phone_number: number } of calls) {
		const id = onlyOne(idsByName.get(asText(name).trim()));
		if (id && asText(number) !== '') addTo(numbers, id, asText(number));
	}
	return new Map(
		[...numbers].flatMap(([id, values]): Array<[string, string]> => {
			const number = onlyOne(values);
			return number === undefined ? [] : [[id, number]];
		}),
	);
}

/**
 * Lists the phone numbers that the account's assistants have. The contract shows no list of phone
 * numbers.
 */
export async function searchPhoneNumbers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { inUse, isComplete } = await withWayOut(this, gatherInUse(this, numbersOf));
	// Another assistant of the same name may be among those that were not read.
	const numbers = numbersById(inUse, isComplete ? await someCalls(this) : []);
	const withNumbers = inUse
		.filter(({ value }) => value !== '')
		.map((each) => ({
			...each,
			name: named(numbers.get(each.value) ?? 'Phone number', `ID ${each.value}`),
		}));
	const none = "No assistant has a phone number. Choose 'By ID'.";
	return { results: inUseEntries({ inUse: withNumbers, isComplete }, none, filter) };
}
