import { throwIfAny } from '../base/apiError.mts';
import type { User } from '../store/records.mts';
import { findOwned } from '../domain/ownership.mts';
import { toE164 } from '../domain/phone.mts';
import { choiceErrors } from '../simulation/callChoices.mts';
import { collect, fieldNames, isObject, type Loading, type Path } from './loading.mts';
import { getTable, recordFormats, type RecordKind } from './seedFormat.mts';

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

/**
 * Looks for everything that is wrong with a record, apart from its format.
 *
 * @returns the fields of a create request with their defaults, if the contract allows them
 */
export function checkRecord(
	loading: Loading,
	user: User,
	kind: RecordKind,
	record: GivenRecord,
	path: Path,
): unknown {
	const { context, faults, ids, brokenScenarios, brokenFields } = loading;
	const { state, scenarios, assumptions } = context;
	const refuse = (place: Path, message: string) =>
		faults.push({ path: [...path, ...place], message });

	function checkId(): void {
		const { id } = record;
		if (typeof id !== 'number') return;
		const first = ids.get(`${kind} ${id}`);
		if (first) refuse(['id'], `${first.join('.')} has the id ${id} already.`);
		else ids.set(`${kind} ${id}`, path);
	}

	function checkReferences(field: string, target: RecordKind): void {
		if (brokenFields.has(target)) return;
		const value = record[field];
		[value].flat().forEach((id: unknown, index) => {
			if (typeof id !== 'number' || findOwned(getTable(state, target), id, user)) return;
			const name = target.replace('_', ' ').replace(/s$/, '');
			const place = Array.isArray(value) ? [field, index] : [field];
			refuse(place, `There is no ${name} ${id} of this user.`);
		});
	}

	/** Checks what an assistant chooses from a list of its user. */
	function checkChoice(field: string, name: string, known: readonly unknown[]): void {
		const value = record[field];
		const type = field === 'language' ? 'string' : 'number';
		if (typeof value !== type || known.includes(value) || brokenFields.has(`${name}s`)) return;
		refuse([field], `There is no ${name} ${String(value)} of this user, only ${known.join(', ')}.`);
	}

	function checkPhoneNumber({ phone_number: text }: GivenRecord, place: Path = []): void {
		const { default_country: country } = assumptions['phone-number-formats'];
		if (typeof text !== 'string' || text === '' || toE164(text, country) !== undefined) return;
		refuse([...place, 'phone_number'], `"${text}" is no phone number.`);
	}

	function checkScenario({ scenario, tool, values }: GivenRecord): void {
		if (typeof scenario !== 'string' || brokenScenarios.has(scenario)) return;
		const errors = choiceErrors(scenarios, { scenario, tool, values });
		collect(loading, path, () => throwIfAny(errors));
	}

	const checked = checkContract(loading, kind, record, path);
	checkId();
	for (const [field, target] of Object.entries(REFERENCES[kind] ?? {})) {
		checkReferences(field, target);
	}
	switch (kind) {
		case 'phone_numbers':
			checkPhoneNumber(record);
			break;
		case 'assistants': {
			const voices = user.voices.map(({ id }) => id);
			checkChoice('voice_id', 'voice', voices);
			checkChoice('language', 'language', user.languages);
			break;
		}
		case 'campaigns':
			for (const name of isObject(record['mix']) ? Object.keys(record['mix']) : []) {
				const message = scenarios.unknownScenario(name);
				if (message !== undefined && !brokenScenarios.has(name)) refuse(['mix', name], message);
			}
			break;
		case 'leads':
			checkPhoneNumber(record);
			checkScenario(record);
			[record['secondary_contacts']].flat().forEach((contact: unknown, index) => {
				if (isObject(contact)) checkPhoneNumber(contact, ['secondary_contacts', index]);
			});
	}
	return checked;
}

function checkContract(
	loading: Loading,
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
