import type { Lead } from '../../store/records.mts';
import type { Condition, Table } from '../../store/table.mts';
import type { Context, Handler } from '../context.mts';
import { pageResponse, type PageQuery } from '../page.mts';
import { startOfDay } from '../times.mts';
import { leadRecord } from './record.mts';
import { shownStatus } from './status.mts';

type LeadTable = Pick<Table<Lead>, 'select' | 'count'>;

interface LeadQuery extends PageQuery {
	status?: string;
	campaign_id?: number;
	phone_number?: string;
	date_from?: string;
	date_to?: string;
}

/**
 * GET /user/leads: part of a phone number is enough, and both days are included (public-service.md: GET
 * /user/leads, S1, S2, S12a, S12b).
 */
export const listLeads: Handler<undefined, LeadQuery> = (context, user, { query, givenQuery }) => {
	const { state, baseUrl, assumptions } = context;
	const { status, campaign_id, phone_number, date_from, date_to } = query;
	const zone = assumptions['time-zone'];
	const conditions: Array<Condition<Lead>> = [['user_id', 'is', user.id]];
	if (campaign_id !== undefined) conditions.push(['campaign_id', 'is', campaign_id]);
	if (phone_number !== undefined) conditions.push(['phone_number', 'contains', phone_number]);
	if (date_from !== undefined) conditions.push(['created_at', '>=', startOfDay(date_from, zone)]);
	if (date_to !== undefined) conditions.push(['created_at', '<', startOfDay(date_to, zone, 1)]);
	return pageResponse({
		table: status === undefined ? state.leads : leadsWith(status, context),
		conditions,
		query,
		path: `${baseUrl}/user/leads`,
		givenQuery,
		show: (lead) => leadRecord(context, lead),
	});
};

/** The leads that the service shows with a status. */
function leadsWith(status: string, { state, assumptions }: Context): LeadTable {
	const all = (conditions: Array<Condition<Lead>> = []) =>
		state.leads.select(conditions).filter((lead) => shownStatus(lead, assumptions) === status);
	return {
		select: (conditions, section) => {
			const { offset = 0, limit = Infinity } = section ?? {};
			return all(conditions).slice(offset, offset + limit);
		},
		count: (conditions) => all(conditions).length,
	};
}
