import type { Schemas } from '../../contract/schemas.mts';
import type { Lead } from '../../store/records.mts';
import type { Context } from '../context.mts';
import { plainTime } from '../times.mts';

/** A lead with its campaign and secondary contacts, as create and the list show it. */
export function leadRecord({ state, assumptions }: Context, lead: Lead): Schemas['CreatedLead'] {
	const zone = assumptions['time-zone'];
	const { id, name } = state.campaigns.get(lead.campaign_id) ?? { id: lead.campaign_id, name: '' };
	return {
		...contactRecord(lead, zone),
		campaign_id: id,
		campaign: { id, name },
		secondary_contacts: state.leads
			.select([['secondary_of', 'is', lead.id]])
			.map((contact) => contactRecord(contact, zone)),
	};
}

/** The fields that main leads and secondary contacts share. */
const contactRecord = (lead: Lead, timeZone: string): Schemas['SecondaryContact'] => ({
	id: lead.id,
	phone_number: lead.phone_number,
	variables: lead.variables,
	status: lead.status,
	created_at: plainTime(lead.created_at, timeZone),
	updated_at: plainTime(lead.updated_at, timeZone),
});
