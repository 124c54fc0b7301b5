import * as z from 'zod';

import { LEAD_STATUSES } from '../../contract/statuses.mts';
import type { SandboxEngine } from '../../runtime/engine.mts';
import type { Lead } from '../../store/records.mts';
import { calls } from './calls.mts';
import { id, iso, names, RELATED, type RecordKind } from './recordKind.mts';

const brief = (lead: Lead, { state }: SandboxEngine) => ({
	id: lead.id,
	user_id: lead.user_id,
	created_at: iso(lead.created_at),
	updated_at: iso(lead.updated_at),
	campaign_id: lead.campaign_id,
	campaign_name: names(state).campaign(lead.campaign_id),
	phone_number: lead.phone_number,
	variables: lead.variables,
	status: lead.status,
	attempts: lead.attempts,
	next_attempt_at: lead.status === 'created' ? iso(lead.next_attempt_at) : null,
});

/** Leads, with the calls to each. */
export const leads: RecordKind<Lead> = {
	name: 'lead',
	table: (state) => state.leads,
	filters: { campaign_id: id, status: z.enum(LEAD_STATUSES) },
	searched: ['phone_number', 'variables'],
	brief,
	whole(lead, engine) {
		const { state } = engine;
		const campaign = state.campaigns.get(lead.campaign_id);
		const assistantId = campaign?.assistant_id ?? null;
		const assistant = assistantId === null ? undefined : state.assistants.get(assistantId);
		return {
			...brief(lead, engine),
			scenario: lead.scenario,
			tool: lead.tool,
			call_again: lead.call_again,
			campaign: campaign ? { id: campaign.id, name: campaign.name, status: campaign.status } : null,
			assistant_id: assistantId,
			assistant_name: assistant?.settings.assistant_name ?? null,
			/** What the next call begins with. */
			input_variables: { ...assistant?.settings.variables, ...lead.variables },
			calls: state.calls
				.list({ conditions: [['lead_id', 'is', lead.id]], limit: RELATED })
				.records.map((call) => calls.brief(call, engine)),
		};
	},
};
