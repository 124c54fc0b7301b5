import type { Assumptions } from '../../contract/assumptions.mts';
import type { Lead } from '../../store/records.mts';
import type { Context } from '../context.mts';
import { plainTime } from '../times.mts';
import { shownStatus } from './status.mts';

/** A lead with its campaign and secondary contacts, as create and the list show it. */
export function leadRecord({ state, assumptions }: Context, lead: Lead) {
	const { id, name } = state.campaigns.get(lead.campaign_id) ?? { id: lead.campaign_id, name: '' };
	return {
		...contactRecord(lead, assumptions),
		campaign_id: id,
		campaign: { id, name },
		secondary_contacts: state.leads
			.select([['secondary_of', 'is', lead.id]])
			.map((contact) => contactRecord(contact, assumptions)),
	};
}

/** The fields that main leads and secondary contacts share. */
const contactRecord = (lead: Lead, assumptions: Assumptions) => ({
	id: lead.id,
	phone_number: lead.phone_number,
	variables: lead.variables,
	status: shownStatus(lead, assumptions),
	created_at: plainTime(lead.created_at, assumptions['time-zone']),
	updated_at: plainTime(lead.updated_at, assumptions['time-zone']),
});
