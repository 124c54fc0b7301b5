import * as z from 'zod';

import { flag, id, text } from '../../base/queryFields.mts';
import { hideInUrl } from '../../base/secrets.mts';
import { CALL_STATUSES, CALL_TYPES } from '../../contract/statuses.mts';
import { callRecord } from '../../domain/call/operations.mts';
import { leadName } from '../../domain/lead/leadName.mts';
import { recipient } from '../../domain/sms/recipient.mts';
import { providerNotification } from '../../provider/call.mts';
import { WEBHOOK_EVENTS } from '../../faults/deliveryFaults.mts';
import { shownFault } from '../../faults/faults.mts';
import type { SandboxEngine } from '../../runtime/engine.mts';
import type { Call, Delivery, Sms, ToolRequest } from '../../store/records.mts';
import {
	assistantName,
	defaultVariables,
	iso,
	ownedFields,
	related,
	type RecordKind,
} from './recordKind.mts';

function messageRow(message: Sms, { state }: SandboxEngine) {
	const { lead_id, call_id } = recipient(message, state);
	return {
		...message,
		...ownedFields(message),
		call_id,
		lead_id,
		lead_name: leadName(state.leads.get(lead_id)),
		from: state.phoneNumbers.get(message.phone_number_id)?.phone_number ?? null,
	};
}

/** SMS; there is no more about one than its row shows. */
export const messages: RecordKind<Sms> = {
	name: 'message',
	filters: { to: text },
	searched: ['to'],
	brief: messageRow,
	whole: messageRow,
};

const deliveryRow = (delivery: Delivery, { state }: SandboxEngine) => ({
	id: delivery.id,
	event: delivery.event,
	call_id: delivery.call_id,
	assistant_id: delivery.assistant_id,
	assistant_name: assistantName(state, delivery.assistant_id),
	url: hideInUrl(delivery.url),
	state: delivery.state,
	/** A question before a call is sent at once. */
	created_at:
		'finished_at' in delivery.body ? delivery.body.finished_at : iso(delivery.next_attempt_at),
	next_attempt_at: delivery.state === 'pending' ? iso(delivery.next_attempt_at) : null,
});

/** Webhooks that were delivered, or are to be. */
export const deliveries: RecordKind<Delivery> = {
	name: 'delivery',
	filters: {
		state: z.enum(['pending', 'delivered', 'failed', 'cancelled']),
		event: z.enum([...WEBHOOK_EVENTS, 'inboundQuestion']),
		call_id: id,
		assistant_id: id,
	},
	searched: ['url'],
	brief(delivery, engine) {
		const { at = null, status = null, error = null } = delivery.attempts.at(-1) ?? {};
		const attempt_count = delivery.attempts.length;
		return { ...deliveryRow(delivery, engine), attempt_count, last_attempt_at: at, status, error };
	},
	whole: (delivery, engine, withSecrets) => ({
		...deliveryRow(delivery, engine),
		...(withSecrets && { url: delivery.url }),
		body: providerNotification(delivery.body, engine.assumptions),
		attempts: delivery.attempts,
		answer: delivery.answer ?? null,
		fault_rule: delivery.fault_rule ? shownFault(delivery.fault_rule) : null,
	}),
};

const toolRequestRow = (request: ToolRequest, { state }: SandboxEngine) => ({
	id: request.id,
	at: iso(request.at),
	call_id: request.call_id,
	assistant_id: request.assistant_id,
	assistant_name: assistantName(state, request.assistant_id),
	tool_id: request.tool_id,
	tool_name: request.tool_name,
	method: request.method,
	url: hideInUrl(request.url),
	state: request.state,
	status: request.status,
	latency_ms: request.latency_ms,
	error: request.error,
});

/** Requests to mid call tools, without their headers, which can hold secrets. */
export const toolRequests: RecordKind<ToolRequest> = {
	name: 'tool request',
	filters: { state: z.enum(['pending', 'answered', 'failed']), call_id: id },
	searched: ['tool_name', 'url'],
	brief: toolRequestRow,
	whole: (request, engine) => ({
		...toolRequestRow(request, engine),
		timeout: request.timeout,
		arguments: request.arguments,
		answer: request.answer,
	}),
};

const callRow = (call: Call, { state }: SandboxEngine) => ({
	...ownedFields(call),
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
	lead_name: leadName(state.leads.get(call.lead_id)),
	total_cost: call.total_cost,
});

/** Calls, with what belongs to each. */
export const calls: RecordKind<Call> = {
	name: 'call',
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
	brief: callRow,
	whole(call, engine) {
		const { state, assumptions, baseUrl, scenarios } = engine;
		const lead = state.leads.get(call.lead_id);
		const number = lead?.phone_number ?? call.client_phone_number;
		const settings = state.assistants.get(call.assistant_id)?.settings;
		return {
			...callRecord(call, assumptions['time-zone'], baseUrl),
			...callRow(call, engine),
			scenario_title: scenarios.title(call.scenario),
			input_variables: call.input_variables,
			default_variables: defaultVariables(settings, call.input_variables, lead?.variables),
			language: settings?.language ?? null,
			deliveries: related(state.deliveries, ['call_id', 'is', call.id]).map((delivery) =>
				deliveries.whole(delivery, engine, false),
			),
			tool_requests: related(state.toolRequests, ['call_id', 'is', call.id]).map((request) =>
				toolRequests.whole(request, engine, false),
			),
			messages: related(
				state.messages,
				['user_id', 'is', call.user_id],
				['to', 'is', number],
				['created_at', '>=', call.created_at],
			).map((message) => messages.brief(message, engine)),
		};
	},
};
