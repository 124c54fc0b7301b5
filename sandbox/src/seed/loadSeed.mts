import { ApiError } from '../base/apiError.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { AssistantSettings, Owned, ToolSettings, User } from '../store/records.mts';
import type { Table } from '../store/table.mts';
import { addAssistant } from '../domain/assistant/operations.mts';
import type { Context } from '../domain/context.mts';
import { addLead } from '../domain/lead/operations.mts';
import { addTool } from '../domain/midCallTool/operations.mts';
import { findOwned } from '../domain/ownership.mts';
import { toE164 } from '../domain/phone.mts';
import { parseTime } from '../domain/times.mts';
import { callLeads } from '../simulation/callLeads.mts';
import { emptyCall } from '../simulation/startCall.mts';
import type { Seed, SeedCall, SeedUser } from './seedFormat.mts';

/** Checks the fields of a create request and fills in their defaults, or throws an ApiError. */
type CheckFields = (operationId: string, fields: object) => unknown;

/**
 * Puts the seed's records into an empty store.
 *
 * @throws {InvalidInput} with the record that does not fit
 */
export function loadSeed(context: Context, seed: Seed, checkFields: CheckFields): void {
	seed.users.forEach((seedUser, index) =>
		loadUser(context, seedUser, checkFields, `users.${index}`),
	);
	for (const { id } of context.state.campaigns.select()) callLeads(context, id);
}

function loadUser(context: Context, seed: SeedUser, checkFields: CheckFields, place: string): void {
	const { state, now, assumptions } = context;
	const stamps = { created_at: now, updated_at: now };
	if (state.users.first([['token', 'is', seed.token]])) {
		throw new InvalidInput(`The seed is invalid: ${place}.token belongs to another user already.`);
	}
	const user = state.users.insert({
		token: seed.token,
		balance: seed.balance ?? assumptions['account-balance'],
		tool_quota: seed.tool_quota ?? assumptions['tool-quota'],
		voices: seed.voices ?? assumptions['available-voices'],
		languages: seed.languages ?? assumptions['available-languages'],
	});
	forEachRecord(place, 'phone_numbers', seed.phone_numbers, (line) => {
		const expiry = line.subscription_expires_at;
		state.phoneNumbers.insert({
			id: line.id,
			user_id: user.id,
			phone_number: phoneNumber(context, line.phone_number),
			sms_capable: line.sms_capable,
			subscription_expires_at: expiry === null ? null : parseTime(expiry, assumptions['time-zone']),
			...stamps,
		});
	});
	forEachRecord(place, 'tools', seed.tools, ({ id, ...fields }) => {
		// checkFields has checked the contract, here and below.
		addTool(context, user, checkFields('createTool', fields) as ToolSettings, id);
	});
	forEachRecord(place, 'assistants', seed.assistants, (assistant) => {
		const {
			id,
			status = assumptions['assistant-status'],
			inbound_webhook_url = null,
			...fields
		} = assistant;
		const settings = checkFields('createAssistant', fields) as AssistantSettings;
		addAssistant(context, user, settings, { id, status, inbound_webhook_url });
	});
	forEachRecord(
		place,
		'campaigns',
		seed.campaigns,
		({ id, name, assistant_id: assistantId, status }) => {
			const assistant = referenced('assistant', state.assistants, assistantId, user);
			state.campaigns.insert({
				id,
				user_id: user.id,
				name,
				assistant_id: assistant?.id ?? null,
				status: status ?? assumptions['campaign-status'].initial,
				...stamps,
			});
		},
	);
	forEachRecord(place, 'leads', seed.leads, (fields) =>
		loadLead(context, user, fields, checkFields),
	);
	forEachRecord(place, 'calls', seed.calls, (fields) => loadCall(context, user, fields));
}

function forEachRecord<Item>(
	place: string,
	kind: string,
	items: Item[] | undefined,
	add: (item: Item) => void,
): void {
	items?.forEach((item, index) => {
		try {
			add(item);
		} catch (error) {
			throw new InvalidInput(
				`The seed is invalid: ${place}.${kind}.${index}: ${messageOf(error)}`,
				{
					cause: error,
				},
			);
		}
	});
}

function messageOf(error: unknown): string {
	const errors = error instanceof ApiError ? Object.entries(error.errors ?? {}) : [];
	if (errors.length === 0) return error instanceof Error ? error.message : String(error);
	return errors.map(([field, [message]]) => `${field}: ${message}`).join(' ');
}

/** The record to which another one refers by id; undefined when it refers to none. */
function referenced<Record extends Owned>(
	kind: string,
	table: Table<Record>,
	id: number | undefined,
	user: User,
): Record | undefined {
	const record = id === undefined ? undefined : findOwned(table, id, user);
	if (id !== undefined && !record)
		throw new InvalidInput(`there is no ${kind} ${id} of this user.`);
	return record;
}

function phoneNumber({ assumptions }: Context, text: string): string {
	const e164 = toE164(text, assumptions['phone-number-formats'].default_country);
	if (e164 === undefined) throw new InvalidInput(`"${text}" is no phone number.`);
	return e164;
}

function loadLead(
	context: Context,
	user: User,
	lead: NonNullable<SeedUser['leads']>[number],
	checkFields: CheckFields,
): void {
	const { id, status = 'created', scenario = null, tool = null, ...fields } = lead;
	const body = checkFields('createLead', fields) as Schemas['LeadCreate'];
	const campaign = referenced('campaign', context.state.campaigns, body.campaign_id, user);
	if (!campaign) return;
	const contacts = [body, ...(body.secondary_contacts ?? [])].map((contact) => ({
		phoneNumber: phoneNumber(context, contact.phone_number),
		variables: contact.variables ?? {},
	}));
	contacts.forEach((contact, index) => {
		const seeded = index === 0 ? { id, status, scenario, tool } : {};
		addLead(context, user, campaign, contact, seeded);
	});
}

function loadCall({ state, now, assumptions }: Context, user: User, call: SeedCall): void {
	const { ago, created_at: created, updated_at: updated, ...fields } = call;
	const assistant = referenced('assistant', state.assistants, call.assistant_id, user);
	const campaign = referenced('campaign', state.campaigns, call.campaign_id, user);
	const lead = referenced('lead', state.leads, call.lead_id, user);
	const line = assistant?.settings.phone_number_id ?? 0;
	const duration = call.duration ?? 0;
	const createdAt =
		created === undefined ? now - (ago ?? 0) : parseTime(created, assumptions['time-zone']);
	state.calls.insert({
		assistant_name: assistant?.settings.assistant_name ?? '',
		campaign_name: campaign?.name ?? null,
		type: 'outbound',
		status: 'completed',
		assistant_phone_number: state.phoneNumbers.get(line)?.phone_number ?? '',
		client_phone_number: '',
		...emptyCall,
		...fields,
		assistant_id: assistant?.id ?? null,
		campaign_id: campaign?.id ?? null,
		lead_id: lead?.id ?? null,
		duration,
		user_id: user.id,
		input_variables: {},
		scenario: '',
		step: 0,
		tool: null,
		running: false,
		answered_at: null,
		created_at: createdAt,
		updated_at:
			updated === undefined
				? createdAt + duration * 1000
				: parseTime(updated, assumptions['time-zone']),
	});
}
