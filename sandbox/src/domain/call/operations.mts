import type { Schemas } from '../../contract/schemas.mts';
import type { Call } from '../../store/records.mts';
import type { Condition } from '../../store/table.mts';
import type { Handler } from '../context.mts';
import { addEvent, callSubjects, describeCall } from '../events.mts';
import { requireOwned } from '../ownership.mts';
import { pageResponse, type PageQuery } from '../page.mts';
import { toE164 } from '../phone.mts';
import { plainTime, startOfDay } from '../times.mts';
import { makeCall } from './makeCall.mts';
import { recordingUrl } from './recording.mts';

interface CallQuery extends PageQuery {
	status?: string;
	type?: string;
	phone_number?: string;
	assistant_id?: number;
	campaign_id?: number;
	date_from?: string;
	date_to?: string;
}

/** GET /user/calls: all filters may be combined; both days are included. */
const listCalls: Handler<undefined, CallQuery> = (context, user, { query, givenQuery }) => {
	const { state, baseUrl, assumptions } = context;
	const timeZone = assumptions['time-zone'];
	const conditions: Array<Condition<Call>> = [['user_id', 'is', user.id]];
	for (const field of ['status', 'type', 'assistant_id', 'campaign_id'] as const) {
		const value = query[field];
		if (value !== undefined) conditions.push([field, 'is', value]);
	}
	if (query.phone_number !== undefined) {
		const number =
			toE164(query.phone_number, assumptions['phone-number-formats'].default_country) ??
			query.phone_number;
		conditions.push(['client_phone_number', 'is', number]);
	}
	if (query.date_from !== undefined) {
		conditions.push(['created_at', '>=', startOfDay(query.date_from, timeZone)]);
	}
	if (query.date_to !== undefined) {
		conditions.push(['created_at', '<', startOfDay(query.date_to, timeZone, 1)]);
	}
	return pageResponse({
		table: state.calls,
		conditions,
		order: { by: 'created_at', newestFirst: assumptions['call-order'] === 'newest-first' },
		query,
		path: `${baseUrl}/user/calls`,
		givenQuery,
		show: (call) => callRecord(call, timeZone, baseUrl),
	});
};

/** GET /user/calls/{id}: a bare record (public-service.md: Calls, S1, S2). */
const getCall: Handler = ({ state, baseUrl, assumptions }, user, { id }) => {
	const call = requireOwned('Call', state.calls, id, user);
	return { status: 200, body: callRecord(call, assumptions['time-zone'], baseUrl) };
};

/** DELETE /user/calls/{id}: its recording goes too (public-service.md: Calls, S1, S2, S12a). */
const deleteCall: Handler = (context, user, { id }) => {
	const call = requireOwned('Call', context.state.calls, id, user);
	context.state.calls.delete(id);
	const text = `${describeCall(call)} was deleted.`;
	addEvent(context, { kind: 'call-deleted', text, ...callSubjects(call) });
	return { status: 200, body: { message: 'Call deleted successfully' } };
};

/** A call as the service shows it; what is not known yet is empty (assumptions: call-empty-values). */
export const callRecord = (call: Call, timeZone: string, baseUrl: string): Schemas['Call'] => ({
	id: call.id,
	assistant_name: call.assistant_name,
	...(call.campaign_name !== null && { campaign_name: call.campaign_name }),
	type: call.type,
	duration: call.duration,
	assistant_phone_number: call.assistant_phone_number,
	client_phone_number: call.client_phone_number,
	status: call.status,
	transcript: call.transcript,
	variables: call.variables,
	evaluation: call.evaluation,
	webhook_response: call.webhook_response,
	carrier_cost: call.carrier_cost,
	total_cost: call.total_cost,
	answered_by: call.answered_by,
	...(call.recording_url !== null && { recording_url: recordingUrl(call.recording_url, baseUrl) }),
	created_at: plainTime(call.created_at, timeZone),
	updated_at: plainTime(call.updated_at, timeZone),
});

export const operations = { deleteCall, getCall, listCalls, makeCall };
