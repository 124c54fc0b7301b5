import { ApiError, invalidFields, throwIfAny, type FieldErrors } from '../../base/apiError.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Campaign, Lead, User, Variables } from '../../store/records.mts';
import type { Context, Handler } from '../context.mts';
import { addEvent, describeCampaign, describeLead, listFields, leadSubjects } from '../events.mts';
import { findOwned, requireOwned } from '../ownership.mts';
import { toE164 } from '../phone.mts';
import { deleteLead } from './deleteLead.mts';
import { listLeads } from './listLeads.mts';
import { leadRecord } from './record.mts';

/** POST /user/lead */
const createLead: Handler<Schemas['LeadCreate']> = (context, user, { body }) => {
	const { default_country: country } = context.assumptions['phone-number-formats'];
	const contacts = [body, ...(body.secondary_contacts ?? [])].map((contact, index) => ({
		field: index === 0 ? 'phone_number' : `secondary_contacts.${index - 1}.phone_number`,
		phoneNumber: toE164(contact.phone_number, country) ?? '',
		variables: contact.variables ?? {},
	}));
	const unreadable = contacts.filter(({ phoneNumber }) => phoneNumber === '');
	throwIfAny(messageFor(unreadable, 'Invalid phone number'));

	const campaign = findOwned(context.state.campaigns, body.campaign_id, user);
	if (!campaign) throw invalidFields({ campaign_id: ['The selected campaign does not exist'] });
	if (body.allow_dupplicate !== true) {
		const duplicates = contacts.filter(
			({ phoneNumber }, index) =>
				contacts.findIndex((contact) => contact.phoneNumber === phoneNumber) < index ||
				isInCampaign(context, campaign, phoneNumber),
		);
		const message = 'A lead with this phone number already exists in the campaign';
		throwIfAny(messageFor(duplicates, message));
	}

	const [data] = addContacts(context, user, campaign, contacts).map((lead) => {
		addEvent(context, {
			kind: 'lead-added',
			text: `${describeLead(lead)} was added to ${describeCampaign(campaign)}.`,
			...leadSubjects(lead),
		});
		return leadRecord(context, lead);
	});
	context.callLeads(campaign.id);
	return { status: 200, body: { message: 'Lead created successfully', data } };
};

/** PUT /user/leads/{id} */
const updateLead: Handler<Schemas['LeadUpdate']> = (context, user, { id, body }) => {
	const { state, now, assumptions } = context;
	const lead = requireOwned('Lead', state.leads, id, user);
	if (body.campaign_id !== undefined) {
		requireOwned('Campaign', state.campaigns, body.campaign_id, user);
	}
	const { default_country: country } = assumptions['phone-number-formats'];
	const phoneNumber = toE164(body.phone_number ?? lead.phone_number, country);
	if (phoneNumber === undefined) throw new ApiError(422, 'Invalid phone number');

	const updated: Lead = {
		...lead,
		campaign_id: body.campaign_id ?? lead.campaign_id,
		phone_number: phoneNumber,
		status: body.status ?? lead.status,
		variables: { ...lead.variables, ...body.variables },
		updated_at: now,
	};
	if (body.status !== undefined) {
		updated.call_again = false;
		updated.is_backup = false;
	}
	// A lead that is set to `created` starts again with its first attempt, after a running call.
	if (body.status === 'created') {
		updated.attempts = 0;
		if (lead.next_attempt_at === null && !lead.is_backup) updated.call_again = true;
		else updated.next_attempt_at = now;
	}
	state.leads.update(updated);
	const before = phoneNumber === lead.phone_number ? '' : ` Its number was ${lead.phone_number}.`;
	addEvent(context, {
		kind: 'lead-changed',
		text: `${describeLead(updated)} was changed: ${listFields(body)}.${before}`,
		...leadSubjects(updated),
	});
	if (updated.campaign_id !== lead.campaign_id) planNextAttempt(context, updated);
	context.callLeads(updated.campaign_id);
	return { status: 200, body: { message: 'Lead updated successfully' } };
};

const messageFor = (contacts: Array<{ field: string }>, message: string): FieldErrors =>
	Object.fromEntries(contacts.map(({ field }) => [field, [message]]));

const isInCampaign = ({ state }: Context, { id }: Campaign, phoneNumber: string): boolean =>
	state.leads.first([
		['campaign_id', 'is', id],
		['phone_number', 'is', phoneNumber],
	]) !== undefined;

interface Contact {
	phoneNumber: string;
	variables: Variables;
}

/**
 * Stores a lead and its secondary contacts (assumption: lead-secondary-contacts).
 *
 * @param seeded fields of the lead that only a seed can choose
 */
export function addContacts(
	context: Context,
	user: User,
	campaign: Campaign,
	[main, ...others]: Contact[],
	seeded: Partial<Lead> = {},
): Lead[] {
	if (!main) return [];
	const lead = addLead(context, user, campaign, main, seeded);
	const backup = { secondary_of: lead.id, is_backup: true, next_attempt_at: null };
	return [lead, ...others.map((contact) => addLead(context, user, campaign, contact, backup))];
}

/** Lets the campaign call the next secondary contact, if there is one, after a contact that was not reached. */
export function callBackup(context: Context, contact: Lead): void {
	const { state, now } = context;
	const backup = state.leads.first([
		['secondary_of', 'is', contact.secondary_of ?? contact.id],
		['is_backup', 'is', true],
	]);
	if (!backup) return;
	const waiting = { ...backup, is_backup: false, next_attempt_at: now };
	state.leads.update(waiting);
	addEvent(context, {
		kind: 'lead-changed',
		text: `${describeLead(waiting)} is called next, because ${describeLead(contact)} was not reached.`,
		...leadSubjects(waiting),
	});
	planNextAttempt(context, waiting);
}

function addLead(
	{ state, now }: Context,
	user: User,
	campaign: Campaign,
	{ phoneNumber, variables }: Contact,
	seeded: Partial<Lead>,
): Lead {
	return state.leads.insert({
		user_id: user.id,
		campaign_id: campaign.id,
		phone_number: phoneNumber,
		variables,
		status: 'created',
		attempts: 0,
		next_attempt_at: now,
		secondary_of: null,
		is_backup: false,
		call_again: false,
		scenario: null,
		tool: null,
		chosen_values: null,
		created_at: now,
		updated_at: now,
		...seeded,
	});
}

/** Sets the timer for a waiting lead's next attempt, at which its campaign calls it. */
export function planNextAttempt({ state }: Context, lead: Lead): void {
	const { status, next_attempt_at: due, campaign_id } = lead;
	if (status !== 'created' || due === null) return;
	state.timers.insert({ due, kind: 'call-leads', subject_id: campaign_id });
}

export const operations = {
	createLead,
	deleteLead,
	listLeads,
	updateLead,
	// The same at other addresses (public-service.md: PUT and DELETE /user/leads/{id}, S1, S4b).
	patchLead: updateLead,
	updateLeadAtShortPath: updateLead,
};
