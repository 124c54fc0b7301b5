import { toE164 } from '../domain/phone.mts';
import { choiceErrors } from '../simulation/callChoices.mts';
import {
	collect,
	fieldNames,
	isObject,
	type Loading,
	type LoadingUser,
	type Path,
} from './loading.mts';
import { recordFormats, type RecordKind } from './seedFormat.mts';

/** A record as it is in the seed. */
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
	const checked = checkContract(loading, kind, record, path);
	checkId(loading, kind, record['id'], path);
	checkReferences(loading, kind, record, path);
	if (kind === 'assistants') checkChoices(loading, record, path);
	if (kind === 'phone_numbers' || kind === 'leads') checkPhoneNumber(loading, record, path);
	if (kind === 'leads') checkScenario(loading, record, path);
	if (kind === 'campaigns') checkMix(loading, record, path);
	const { secondary_contacts: contacts } = record;
	if (kind === 'leads' && Array.isArray(contacts)) {
		contacts.forEach((contact: unknown, index) => {
			if (!isObject(contact)) return;
			checkPhoneNumber(loading, contact, [...path, 'secondary_contacts', index]);
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

function checkId({ faults, ids }: Loading, kind: RecordKind, id: unknown, path: Path): void {
	if (typeof id !== 'number') return;
	const known = ids.get(kind) ?? new Map<unknown, Path>();
	ids.set(kind, known);
	const first = known.get(id);
	if (!first) known.set(id, path);
	else
		faults.push({ path: [...path, 'id'], message: `${first.join('.')} has the id ${id} already.` });
}

function checkReferences(
	loading: LoadingUser,
	kind: RecordKind,
	record: GivenRecord,
	path: Path,
): void {
	for (const [field, target] of Object.entries(REFERENCES[kind] ?? {})) {
		const value = record[field];
		const ids: unknown[] = Array.isArray(value) ? value : [value];
		ids.forEach((id, index) => {
			if (typeof id !== 'number' || mayExist(loading, target, id)) return;
			const name = target.replace('_', ' ').replace(/s$/, '');
			const place = Array.isArray(value) ? [field, index] : [field];
			loading.faults.push({
				path: [...path, ...place],
				message: `There is no ${name} ${id} of this user.`,
			});
		});
	}
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

/** Checks what an assistant chooses from the lists of its user. */
function checkChoices(loading: LoadingUser, record: GivenRecord, path: Path): void {
	const { user, faults, brokenFields } = loading;
	const { voice_id: voice, language } = record;
	const voices = user.voices.map(({ id }) => id);
	if (typeof voice === 'number' && !voices.includes(voice) && !brokenFields.has('voices')) {
		const message = `There is no voice ${voice} of this user, only ${voices.join(', ')}.`;
		faults.push({ path: [...path, 'voice_id'], message });
	}
	const { languages } = user;
	if (
		typeof language === 'string' &&
		!languages.includes(language) &&
		!brokenFields.has('languages')
	) {
		const message = `There is no language ${language} of this user, only ${languages.join(', ')}.`;
		faults.push({ path: [...path, 'language'], message });
	}
}

function checkPhoneNumber({ context, faults }: Loading, record: GivenRecord, path: Path): void {
	const { phone_number: text } = record;
	const { default_country: country } = context.assumptions['phone-number-formats'];
	if (typeof text !== 'string' || text === '' || toE164(text, country) !== undefined) return;
	faults.push({ path: [...path, 'phone_number'], message: `"${text}" is no phone number.` });
}

function checkScenario(loading: Loading, record: GivenRecord, path: Path): void {
	const { scenario, tool, values } = record;
	if (typeof scenario !== 'string' || loading.brokenScenarios.has(scenario)) return;
	const errors = choiceErrors(loading.context.scenarios, { scenario, tool, values });
	for (const [field, messages] of Object.entries(errors)) {
		for (const message of messages) loading.faults.push({ path: [...path, field], message });
	}
}

function checkMix({ context, faults, brokenScenarios }: Loading, record: GivenRecord, path: Path) {
	if (!isObject(record['mix'])) return;
	for (const name of Object.keys(record['mix'])) {
		const message = context.scenarios.unknownScenario(name);
		if (message === undefined || brokenScenarios.has(name)) continue;
		faults.push({ path: [...path, 'mix', name], message });
	}
}
