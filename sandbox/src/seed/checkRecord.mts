import { toE164 } from '../domain/phone.mts';
import { choiceErrors } from '../simulation/callChoices.mts';
import { collect, fieldNames, isObject, type LoadingUser, type Path } from './loading.mts';
import { recordFormats, type RecordKind } from './seedFormat.mts';

interface GivenRecord {
	[field: string]: unknown;
}

/** Which create request has the fields of a record that its format does not have. */
const OPERATIONS: { [kind in RecordKind]?: string } = {
	tools: 'createTool',
	assistants: 'createAssistant',
	leads: 'createLead',
};

/** The fields with ids of other records. */
const REFERENCES: { [kind in RecordKind]?: { [field: string]: RecordKind } } = {
	assistants: { phone_number_id: 'phone_numbers', tool_ids: 'tools' },
	campaigns: { assistant_id: 'assistants' },
	leads: { campaign_id: 'campaigns' },
	calls: { assistant_id: 'assistants', campaign_id: 'campaigns', lead_id: 'leads' },
};

/** Whether {@link checkRecord} has judged a field of an assistant that depends on other records. */
export const isJudged = (field: string): boolean =>
	/^(voice_id|language|phone_number_id|tool_ids)\b/.test(field);

/**
 * Looks for everything that is wrong with a record, apart from its format.
 *
 * @returns the fields of a create request with their defaults, if the contract allows them
 */
export function checkRecord(
	loading: LoadingUser,
	kind: RecordKind,
	record: GivenRecord,
	path: Path,
): unknown {
	const { context, user, faults, ids, brokenFields, brokenScenarios } = loading;
	const { scenarios, assumptions } = context;
	const refuse = (place: Path, message: string) =>
		faults.push({ path: [...path, ...place], message });

	function checkId(id: unknown): void {
		if (typeof id !== 'number') return;
		const known = ids.get(kind) ?? new Map<unknown, Path>();
		ids.set(kind, known);
		const first = known.get(id);
		if (first) refuse(['id'], `${first.join('.')} has the id ${id} already.`);
		else known.set(id, path);
	}

	function checkReferences(field: string, target: RecordKind): void {
		const value = record[field];
		const referred: unknown[] = Array.isArray(value) ? value : [value];
		referred.forEach((id, index) => {
			if (typeof id !== 'number' || mayExist(loading, target, id)) return;
			const name = target.replace('_', ' ').replace(/s$/, '');
			const place = Array.isArray(value) ? [field, index] : [field];
			refuse(place, `There is no ${name} ${id} of this user.`);
		});
	}

	/** Checks what an assistant chooses from a list of its user. */
	function checkChoice(field: string, list: string, known: Array<string | number>): void {
		const value = record[field];
		const type = field === 'language' ? 'string' : 'number';
		if (typeof value !== type || known.includes(value as string) || brokenFields.has(list)) return;
		const name = list.slice(0, -1);
		refuse([field], `There is no ${name} ${String(value)} of this user, only ${known.join(', ')}.`);
	}

	function checkPhoneNumber({ phone_number: text }: GivenRecord, place: Path): void {
		const { default_country: country } = assumptions['phone-number-formats'];
		if (typeof text !== 'string' || text === '' || toE164(text, country) !== undefined) return;
		refuse([...place, 'phone_number'], `"${text}" is no phone number.`);
	}

	function checkScenario({ scenario, tool, values }: GivenRecord): void {
		if (typeof scenario !== 'string' || brokenScenarios.has(scenario)) return;
		const errors = choiceErrors(scenarios, { scenario, tool, values });
		for (const [field, messages] of Object.entries(errors)) {
			for (const message of messages) refuse([field], message);
		}
	}

	const checked = checkContract(loading, kind, record, path);
	checkId(record['id']);
	for (const [field, target] of Object.entries(REFERENCES[kind] ?? {})) {
		checkReferences(field, target);
	}
	switch (kind) {
		case 'phone_numbers':
			checkPhoneNumber(record, []);
			break;
		case 'assistants':
			checkChoice(
				'voice_id',
				'voices',
				user.voices.map(({ id }) => id),
			);
			checkChoice('language', 'languages', user.languages);
			break;
		case 'campaigns':
			for (const name of isObject(record['mix']) ? Object.keys(record['mix']) : []) {
				const message = scenarios.unknownScenario(name);
				if (message !== undefined && !brokenScenarios.has(name)) refuse(['mix', name], message);
			}
			break;
		case 'leads': {
			checkPhoneNumber(record, []);
			checkScenario(record);
			const { secondary_contacts: contacts } = record;
			const given: unknown[] = Array.isArray(contacts) ? contacts : [];
			given.forEach((contact, index) => {
				if (isObject(contact)) checkPhoneNumber(contact, ['secondary_contacts', index]);
			});
		}
	}
	return checked;
}

function checkContract(
	loading: LoadingUser,
	kind: RecordKind,
	record: GivenRecord,
	path: Path,
): unknown {
	const operation = OPERATIONS[kind];
	if (operation === undefined) return undefined;
	const own = fieldNames(recordFormats[kind]);
	const fields = Object.entries(record).filter(([field]) => !own.includes(field));
	return collect(loading, path, () => loading.checkFields(operation, Object.fromEntries(fields)));
}

/** Whether the user has a record, or has one with a fault of its own that may be it. */
function mayExist(
	{ context: { state }, user, brokenIds, brokenFields }: LoadingUser,
	kind: RecordKind,
	id: number,
): boolean {
	const table = kind === 'phone_numbers' ? state.phoneNumbers : state[kind];
	const broken = brokenIds.get(kind);
	const isBroken = broken?.has(id) === true || broken?.has(undefined) === true;
	return table.get(id)?.user_id === user.id || isBroken || brokenFields.has(kind);
}
