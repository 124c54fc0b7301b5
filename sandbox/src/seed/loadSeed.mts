import { milliseconds } from '../base/duration.mts';
import type { AssistantSettings, Owned, Schemas, ToolSettings, User } from '../store/records.mts';
import type { Table } from '../store/table.mts';
import { Refusal } from '../base/response.mts';
import { addAssistant } from '../domain/assistant/operations.mts';
import { BadInput } from '../base/invalidInput.mts';
import { nothingToTell } from '../simulation/startCall.mts';
import type { Context } from '../domain/context.mts';
import { dial } from '../simulation/dialer.mts';
import { addLead } from '../domain/lead/operations.mts';
import { owned } from '../domain/ownership.mts';
import { toE164 } from '../domain/phone.mts';
import type { Seed, SeedCall, SeedUser } from './seedFormat.mts';
import { parseTime } from '../domain/times.mts';
import { addTool } from '../domain/midCallTool/operations.mts';

/** Checks create fields against the contract and fills in its defaults, or throws a Refusal. */
export type Complete = (operationId: string, fields: object) => unknown;

/**
 * Puts the seed's records into an empty store.
 * @throws {BadInput} in words that name the record which does not fit
 */
export function plant(context: Context, seed: Seed, complete: Complete): void {
	seed.users.forEach((seedUser, index) => plantUser(context, seedUser, complete, `users.${index}`));
	for (const { id } of context.state.campaigns.select()) dial(context, id);
}

function plantUser(context: Context, seed: SeedUser, complete: Complete, place: string): void {
	const { state, now, assumptions } = context;
	const stamps = { created_at: now, updated_at: now };
	if (state.users.first([['token', 'is', seed.token]])) {
		throw new BadInput(`The seed is not right: ${place}.token is another user's, too.`);
	}
	const user = state.users.insert({
		token: seed.token,
		balance: seed.balance ?? assumptions.balance,
		tool_quota: seed.tool_quota ?? assumptions.toolQuota,
		voices: seed.voices ?? assumptions.voices,
		languages: seed.languages ?? assumptions.languages,
	});
	each(place, 'phone_numbers', seed.phone_numbers, (line) => {
		const expiry = line.subscription_expires_at;
		state.phoneNumbers.insert({
			id: line.id,
			user_id: user.id,
			phone_number: phoneNumber(context, line.phone_number),
			sms_capable: line.sms_capable,
			subscription_expires_at: expiry === null ? null : parseTime(expiry, assumptions.timeZone),
			...stamps,
		});
	});
	each(place, 'tools', seed.tools, ({ id, ...fields }) => {
		// The contract has been checked, here and below: the fields are those of the request.
		addTool(context, user, complete('createTool', fields) as ToolSettings, id);
	});
	each(place, 'assistants', seed.assistants, (assistant) => {
		const {
			id,
			status = assumptions.assistantStatus,
			inbound_webhook_url = null,
			...fields
		} = assistant;
		const settings = complete('createAssistant', fields) as AssistantSettings;
		addAssistant(context, user, settings, { id, status, inbound_webhook_url });
	});
	each(place, 'campaigns', seed.campaigns, ({ id, name, assistant_id: assistantId, status }) => {
		const assistant = named('assistant', state.assistants, assistantId, user);
		state.campaigns.insert({
			id,
			user_id: user.id,
			name,
			assistant_id: assistant?.id ?? null,
			status: status ?? assumptions.campaignStatus.initial,
			...stamps,
		});
	});
	each(place, 'leads', seed.leads, (fields) => plantLead(context, user, fields, complete));
	each(place, 'calls', seed.calls, (fields) => plantCall(context, user, fields));
}

function each<Item>(
	place: string,
	kind: string,
	items: Item[] | undefined,
	add: (item: Item) => void,
): void {
	items?.forEach((item, index) => {
		try {
			add(item);
		} catch (error) {
			throw new BadInput(`The seed is not right: ${place}.${kind}.${index}: ${inWords(error)}`, {
				cause: error,
			});
		}
	});
}

function inWords(error: unknown): string {
	const sentences = error instanceof Refusal ? Object.entries(error.errors ?? {}) : [];
	if (sentences.length === 0) return error instanceof Error ? error.message : String(error);
	return sentences.map(([field, [sentence]]) => `${field}: ${sentence}`).join(' ');
}

/** The record that another one names by its id; undefined when it names none. */
function named<Record extends Owned>(
	kind: string,
	table: Table<Record>,
	id: number | undefined,
	user: User,
): Record | undefined {
	const record = id === undefined ? undefined : owned(table, id, user);
	if (id !== undefined && !record) throw new BadInput(`there is no ${kind} ${id} of this user.`);
	return record;
}

function phoneNumber({ assumptions }: Context, text: string): string {
	const e164 = toE164(text, assumptions.defaultCountry);
	if (e164 === undefined) throw new BadInput(`"${text}" is no phone number.`);
	return e164;
}

function plantLead(
	context: Context,
	user: User,
	lead: NonNullable<SeedUser['leads']>[number],
	complete: Complete,
): void {
	const { id, status = 'created', scenario = null, ...fields } = lead;
	const body = complete('createLead', fields) as Schemas['LeadCreate'];
	const campaign = named('campaign', context.state.campaigns, body.campaign_id, user);
	if (!campaign) return;
	const contacts = [body, ...(body.secondary_contacts ?? [])].map((contact) => ({
		phoneNumber: phoneNumber(context, contact.phone_number),
		variables: contact.variables ?? {},
	}));
	contacts.forEach((contact, index) => {
		const seeded = index === 0 ? { id, status, scenario } : {};
		addLead(context, user, campaign, contact, seeded);
	});
}

function plantCall({ state, now, assumptions }: Context, user: User, call: SeedCall): void {
	const { ago, created_at: created, updated_at: updated, ...fields } = call;
	const assistant = named('assistant', state.assistants, call.assistant_id, user);
	const campaign = named('campaign', state.campaigns, call.campaign_id, user);
	const lead = named('lead', state.leads, call.lead_id, user);
	const line = assistant?.settings.phone_number_id ?? 0;
	const duration = call.duration ?? 0;
	const createdAt =
		created === undefined
			? now - milliseconds(ago ?? 'PT0S')
			: parseTime(created, assumptions.timeZone);
	state.calls.insert({
		assistant_name: assistant?.settings.assistant_name ?? '',
		campaign_name: campaign?.name ?? null,
		type: 'outbound',
		status: 'completed',
		assistant_phone_number: state.phoneNumbers.get(line)?.phone_number ?? '',
		client_phone_number: '',
		...nothingToTell,
		...fields,
		assistant_id: assistant?.id ?? null,
		campaign_id: campaign?.id ?? null,
		lead_id: lead?.id ?? null,
		duration,
		user_id: user.id,
		input_variables: {},
		scenario: '',
		step: 0,
		running: false,
		answered_at: null,
		created_at: createdAt,
		updated_at:
			updated === undefined
				? createdAt + duration * 1000
				: parseTime(updated, assumptions.timeZone),
	});
}
