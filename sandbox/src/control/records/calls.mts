import * as z from 'zod';

import { CALL_STATUSES, CALL_TYPES } from '../../contract/statuses.mts';
import { callRecord } from '../../domain/call/operations.mts';
import type { Call } from '../../store/records.mts';
import { deliveries } from './deliveries.mts';
import { messages } from './messages.mts';
import { flag, id, iso, RELATED, text, type RecordKind } from './recordKind.mts';
import { toolRequests } from './toolRequests.mts';

const brief = (call: Call) => ({
	id: call.id,
	user_id: call.user_id,
	created_at: iso(call.created_at),
	updated_at: iso(call.updated_at),
	type: call.type,
	status: call.status,
	running: call.running,
	scenario: call.scenario,
	duration: call.duration,
	client_phone_number: call.client_phone_number,
	assistant_phone_number: call.assistant_phone_number,
	assistant_id: call.assistant_id,
	assistant_name: call.assistant_name,
	campaign_id: call.campaign_id,
	campaign_name: call.campaign_name,
	lead_id: call.lead_id,
	total_cost: call.total_cost,
});

/** Calls, with what belongs to each. */
export const calls: RecordKind<Call> = {
	name: 'call',
	table: (state) => state.calls,
	filters: {
		status: z.enum(CALL_STATUSES),
		scenario: text,
		assistant_id: id,
		campaign_id: id,
		lead_id: id,
		running: flag,
		type: z.enum(CALL_TYPES),
	},
	searched: ['client_phone_number'],
	brief,
	whole(call, engine) {
		const { state, assumptions, baseUrl } = engine;
		const lead = call.lead_id === null ? undefined : state.leads.get(call.lead_id);
		const assistant =
			call.assistant_id === null ? undefined : state.assistants.get(call.assistant_id);
		return {
			...callRecord(call, assumptions['time-zone'], baseUrl),
			...brief(call),
			input_variables: call.input_variables,
			language: assistant?.settings.language ?? null,
			deliveries: state.deliveries
				.list({ conditions: [['call_id', 'is', call.id]], limit: RELATED })
				.records.map((delivery) => deliveries.whole(delivery, engine, false)),
			tool_requests: state.toolRequests
				.list({ conditions: [['call_id', 'is', call.id]], limit: RELATED })
				.records.map((request) => toolRequests.whole(request, engine, false)),
			messages: state.messages
				.list({
					conditions: [
						['user_id', 'is', call.user_id],
						['to', 'is', lead?.phone_number ?? call.client_phone_number],
						['created_at', '>=', call.created_at],
					],
					limit: RELATED,
				})
				.records.map((message) => messages.brief(message, engine)),
		};
	},
};
