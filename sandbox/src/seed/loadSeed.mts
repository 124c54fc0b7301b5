import { throwIfAny } from '../base/apiError.mts';
import type { Fault } from '../base/checkInput.mts';
import { Random } from '../base/random.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { AssistantSettings, ToolSettings, User } from '../store/records.mts';
import { Store } from '../store/store.mts';
import { addAssistant } from '../domain/assistant/operations.mts';
import type { ScenarioDefinitions } from '../domain/call/scenarioFormat.mts';
import type { Context } from '../domain/context.mts';
import { addContacts } from '../domain/lead/operations.mts';
import { addTool } from '../domain/midCallTool/operations.mts';
import { requireOwned } from '../domain/ownership.mts';
import { callCosts } from '../domain/prices.mts';
import { toE164 } from '../domain/phone.mts';
import { parseTime } from '../domain/times.mts';
import { allScenarios } from '../simulation/builtInScenarios.mts';
import { valueErrors } from '../simulation/callChoices.mts';
import { callLeads } from '../simulation/callLeads.mts';
import { emptyCall } from '../domain/call/startCall.mts';
import { checkRecord } from './checkRecord.mts';
import { collect, isObject, parse, type CheckFields, type Loading, type Path } from './loading.mts';
import {
	getTable,
	RECORD_KINDS,
	recordFormats,
	scenariosFormat,
	seedFormat,
	userFormat,
	type RecordKind,
	type SeedRecord,
} from './seedFormat.mts';

/**
 * Looks for every fault of a seed, in a store of its own.
 *
 * @param seed as it was given
 * @returns nothing when {@link loadSeed} can load it
 */
export function seedFaults(
	seed: unknown,
	assumptions: Assumptions,
	checkFields: CheckFields,
): Fault[] {
	const scenarios = scenariosFormat.safeParse(isObject(seed) ? seed['scenarios'] : undefined);
	const store = new Store(undefined);
	const context: Context = {
		state: store.state,
		now: 0,
		random: new Random(0),
		seed: 0,
		assumptions,
		scenarios: allScenarios(scenarios.data),
		callSpeed: 1,
		baseUrl: '',
		callLeads: () => undefined,
		takeDeliveryFault: () => undefined,
		requestId: null,
	};
	try {
		return store.transaction(() => loadRecords(context, seed, checkFields));
	} finally {
		store.close();
	}
}

/**
 * Puts the seed's records into an empty store, and starts the calls of its running campaigns.
 *
 * @param seed one without faults; see {@link seedFaults}
 */
export function loadSeed(context: Context, seed: unknown, checkFields: CheckFields): void {
	const [fault] = loadRecords(context, seed, checkFields);
	if (fault) throw new Error(`The seed was not checked: ${fault.path.join('.')} ${fault.message}`);
	for (const { id } of context.state.campaigns.select()) callLeads(context, id);
}

/** The scenarios that a seed without faults adds. */
export const seedScenarios = (seed: unknown): ScenarioDefinitions =>
	seedFormat.parse(seed).scenarios;

/** Stores all records that have no fault. @returns the faults of the others */
function loadRecords(context: Context, seed: unknown, checkFields: CheckFields): Fault[] {
	const given = isObject(seed) && isObject(seed['scenarios']) ? Object.keys(seed['scenarios']) : [];
	const brokenScenarios = new Set(given.filter((name) => !context.scenarios.get(name)));
	const loading: Loading = {
		context,
		checkFields,
		faults: [],
		ids: new Map(),
		brokenScenarios,
		brokenFields: new Set(),
	};
	parse(loading, seedFormat, seed, []);
	const users = isObject(seed) && Array.isArray(seed['users']) ? seed['users'] : [];
	users.forEach((user, index) => loadUser(loading, user, ['users', index]));
	return loading.faults;
}

/** The fields of a user that records refer to. */
const REFERRED_TO = ['voices', 'languages', ...RECORD_KINDS];

function loadUser(loading: Loading, seed: unknown, path: Path): void {
	const { context, faults } = loading;
	const { state, assumptions } = context;
	const before = faults.length;
	parse(loading, userFormat, seed, path);
	if (!isObject(seed)) return;
	const broken = new Set<unknown>(faults.slice(before).map((one) => one.path[path.length]));
	loading.brokenFields = new Set(REFERRED_TO.filter((field) => broken.has(field)));
	const sound = Object.entries(seed).filter(([field]) => !broken.has(field));
	const fields = userFormat.partial().parse(Object.fromEntries(sound));
	const { token = '' } = fields;
	if (state.users.first([['token', 'is', token]]) && !broken.has('token')) {
		faults.push({ path: [...path, 'token'], message: 'Another user has this token already.' });
	}
	const user = state.users.insert({
		token,
		name: fields.name ?? null,
		balance: fields.balance ?? assumptions['account-balance'],
		tool_quota: fields.tool_quota ?? assumptions['tool-quota'],
		voices: fields.voices ?? assumptions['available-voices'],
		languages: fields.languages ?? assumptions['available-languages'],
	});
	for (const kind of RECORD_KINDS) {
		loadList(loading, user, kind, fields, [...path, kind]);
	}
}

function loadList<Kind extends RecordKind>(
	loading: Loading,
	user: User,
	kind: Kind,
	lists: { [kind in Kind]?: unknown[] | undefined },
	path: Path,
): void {
	const { context, faults, brokenFields } = loading;
	lists[kind]?.forEach((given, index) => {
		const place = [...path, index];
		const before = faults.length;
		const record = parse(loading, recordFormats[kind], given, place);
		if (!isObject(given)) return;
		const checked = checkRecord(loading, user, kind, given, place);
		// It may refer to a list that cannot be used.
		const isSound = faults.length === before && brokenFields.size === 0;
		if (record !== undefined && isSound) {
			collect(loading, place, () => ADD[kind](context, user, record, checked));
		}
		if (!isSound || faults.length > before) addPlaceholder(context, user, kind, given['id']);
	});
}

/** Stores nothing but the id of a record with a fault, so that what refers to it has none. */
function addPlaceholder({ state }: Context, user: User, kind: RecordKind, given: unknown): void {
	const table = getTable(state, kind);
	const { data: id } = recordFormats[kind].shape.id.safeParse(given);
	const { id: user_id } = user;
	table.insert({ id: table.get(id) ? undefined : id, user_id, created_at: 0, updated_at: 0 });
}

/**
 * Stores a record that has no fault.
 *
 * @param checked the fields of its create request, which the contract allows
 */
type AddRecord<Kind extends RecordKind> = (
	context: Context,
	user: User,
	record: SeedRecord<Kind>,
	checked: unknown,
) => void;

const ADD: { [Kind in RecordKind]: AddRecord<Kind> } = {
	phone_numbers: ({ state, now, assumptions }, user, line) => {
		const { subscription_expires_at: end } = line;
		return state.phoneNumbers.insert({
			...line,
			user_id: user.id,
			phone_number: toNumber(assumptions, line.phone_number),
			subscription_expires_at: end === null ? null : parseTime(end, assumptions['time-zone']),
			created_at: now,
			updated_at: now,
		});
	},
	tools: (context, user, { id }, checked) => addTool(context, user, checked as ToolSettings, id),
	assistants: (context, user, { id, status, inbound_webhook_url }, checked) =>
		addAssistant(context, user, checked as AssistantSettings, {
			id,
			status: status ?? context.assumptions['assistant-status'],
			inbound_webhook_url: inbound_webhook_url ?? null,
		}),
	campaigns: ({ state, now, assumptions }, user, campaign) =>
		state.campaigns.insert({
			...campaign,
			user_id: user.id,
			status: campaign.status ?? assumptions['campaign-status'].initial,
			mix: campaign.mix ?? null,
			settings: null,
			created_at: now,
			updated_at: now,
		}),
	leads: addSeedLead,
	calls: addSeedCall,
};

function addSeedLead(
	context: Context,
	user: User,
	lead: SeedRecord<'leads'>,
	checked: unknown,
): void {
	const { state, assumptions } = context;
	const { id, status = 'created', ago = 0, scenario = null, tool = null, values } = lead;
	const body = checked as Schemas['LeadCreate'];
	const campaign = requireOwned('Campaign', state.campaigns, body.campaign_id, user);
	const { assistant_id: assistantId } = campaign;
	// Undefined when one of the two has a fault.
	const settings =
		assistantId === null ? { post_call_schema: [] } : state.assistants.get(assistantId)?.settings;
	if (settings) throwIfAny(valueErrors(settings, values));
	const then = { ...context, now: context.now - ago };
	const contacts = [body, ...(body.secondary_contacts ?? [])].map((contact) => ({
		phoneNumber: toNumber(assumptions, contact.phone_number),
		variables: contact.variables ?? {},
	}));
	const attempts = status === 'reached-max-retries' ? assumptions['lead-attempts'] : 0;
	const own = { id, status, attempts, scenario, tool, chosen_values: values ?? null };
	addContacts(then, user, campaign, contacts, own);
}

function addSeedCall(
	{ state, now, assumptions }: Context,
	user: User,
	call: SeedRecord<'calls'>,
): void {
	const { ago = 0, created_at: created, updated_at: updated, duration = 0, ...fields } = call;
	const lead = state.leads.get(call.lead_id);
	const campaign = state.campaigns.get(call.campaign_id ?? lead?.campaign_id);
	const assistant = state.assistants.get(call.assistant_id ?? campaign?.assistant_id);
	const settings = assistant?.settings;
	const zone = assumptions['time-zone'];
	const createdAt = created === undefined ? now - ago : parseTime(created, zone);
	state.calls.insert({
		assistant_name: settings?.assistant_name ?? '',
		campaign_name: campaign?.name ?? null,
		type: 'outbound',
		status: 'completed',
		assistant_phone_number: state.phoneNumbers.get(settings?.phone_number_id)?.phone_number ?? '',
		client_phone_number: lead?.phone_number ?? '',
		...emptyCall,
		...callCosts(duration),
		...fields,
		assistant_id: assistant?.id ?? null,
		campaign_id: campaign?.id ?? null,
		duration,
		user_id: user.id,
		input_variables: {},
		scenario: '',
		step: 0,
		tool: null,
		chosen_values: null,
		running: false,
		answered_at: null,
		created_at: createdAt,
		updated_at: updated === undefined ? createdAt + duration * 1000 : parseTime(updated, zone),
	});
}

/** A phone number in the form of the service; it has been checked. */
const toNumber = (assumptions: Assumptions, text: string): string =>
	toE164(text, assumptions['phone-number-formats'].default_country) ?? '';
