import { milliseconds } from '../../base/duration.mts';
import type { Assumptions } from '../../contract/assumptions.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Assistant, Call, Delivery, Lead, WebhookEvent } from '../../store/records.mts';
import type { State } from '../../store/store.mts';
import type { Context } from '../context.mts';
import { addEvent, callSubjects, describeAssistant, describeCall } from '../events.mts';
import { shownStatus } from '../lead/status.mts';
import { isoTime } from '../times.mts';
import { recordingUrl } from './recording.mts';
import type { Scenarios } from './scenarios.mts';

/** The present URL for an event of an assistant; null when that webhook is disabled. */
export function webhookUrl(assistant: Assistant, event: Delivery['event']): string | null {
	const { is_webhook_active, webhook_url } = assistant.settings;
	if (event !== 'postCall') return assistant.inbound_webhook_url;
	return is_webhook_active ? webhook_url : null;
}

/**
 * Whether somebody was reached, or a mailbox, for the lead and for `send_webhook_only_on_completed`
 * (assumptions: completed-call-statuses, voicemail).
 */
export const isCompleted = ({ status }: Pick<Call, 'status'>, assumptions: Assumptions): boolean =>
	assumptions['completed-call-statuses'].includes(status);

interface ActiveWebhook {
	event: WebhookEvent;
	url: string;
	/** Whether the options of the assistant's webhook apply to it. */
	optionsApply: boolean;
}

function activeWebhooks(
	call: Call,
	assistant: Assistant,
	assumptions: Assumptions,
): ActiveWebhook[] {
	const atInbound = assumptions['inbound-webhook-events'];
	const isReported = call.type === 'inbound' && atInbound !== 'question';
	const events: WebhookEvent[] = isReported ? ['postCall', 'inboundCall'] : ['postCall'];
	return events.flatMap((event) => {
		const url = webhookUrl(assistant, event);
		const optionsApply = event === 'postCall' || atInbound === 'finished';
		return url === null ? [] : [{ event, url, optionsApply }];
	});
}

/** Queues the webhooks of a finished call (contract: Events), or tells why there is none. */
export function notify(context: Context, call: Call, assistant: Assistant): void {
	const { assumptions } = context;
	const onlyCompleted = assistant.settings.send_webhook_only_on_completed;
	const active = activeWebhooks(call, assistant, assumptions);
	const wanted = active.filter(
		({ optionsApply }) => !optionsApply || !onlyCompleted || isCompleted(call, assumptions),
	);
	if (wanted.length === 0) {
		const reason =
			active.length === 0
				? 'has no active webhook for it'
				: 'leaves out calls that are not completed (send_webhook_only_on_completed)';
		addEvent(context, {
			kind: 'webhook-left-out',
			text: `No webhook is sent for ${describeCall(call)}: ${describeAssistant(assistant)} ${reason}.`,
			...callSubjects(call),
		});
	}
	for (const webhook of wanted) addDelivery(context, call, assistant, webhook);
}

function addDelivery(
	context: Context,
	call: Call,
	assistant: Assistant,
	{ event, url, optionsApply }: ActiveWebhook,
): void {
	const { state, now, assumptions } = context;
	const fault = context.takeDeliveryFault({ event, assistant_id: assistant.id });
	const delay = assumptions['webhook-delay'] + milliseconds(fault?.delay ?? 'PT0S');
	const withRecording = optionsApply && assistant.settings.include_recording_in_webhook;
	state.deliveries.insert({
		event,
		call_id: call.id,
		assistant_id: assistant.id,
		url,
		body: payload(context, call, assistant, withRecording),
		attempts: [],
		state: 'pending',
		next_attempt_at: now + delay,
		next_cause: 'first',
		...(fault && { fault_rule: fault }),
	});
}

/** The body of both webhooks (contract: webhooks postCall and inboundCall; assumed). */
function payload(
	{ state, baseUrl, assumptions, scenarios }: Context,
	call: Call,
	assistant: Assistant,
	withRecording: boolean,
): Schemas['CallNotification'] {
	const lead = state.leads.get(call.lead_id);
	const campaign = state.campaigns.get(call.campaign_id);
	const isExtended = assumptions['webhook-payload'] === 'extended';
	return {
		...(isExtended && extension(call, assistant, scenarios)),
		id: call.id,
		customer_phone: call.client_phone_number || null,
		assistant_phone: call.assistant_phone_number || null,
		duration: call.duration,
		status: call.status,
		extracted_variables: call.variables,
		input_variables: call.input_variables,
		transcript: call.transcript,
		...(withRecording && {
			recording_url: call.recording_url && recordingUrl(call.recording_url, baseUrl),
		}),
		created_at: isoTime(call.created_at),
		finished_at: isoTime(call.updated_at),
		lead: lead
			? {
					id: lead.id,
					phone_number: lead.phone_number,
					variables: lead.variables,
					status: shownStatus(lead, assumptions),
					...(isExtended && { call_tries: tries(state, call, lead) }),
					created_at: isoTime(lead.created_at),
					updated_at: isoTime(lead.updated_at),
				}
			: null,
		campaign: campaign ? { id: campaign.id, name: campaign.name, status: campaign.status } : null,
	};
}

/** What documents have beside the fields of the contract (public-service.md, "Post-call webhook": S2, S9). */
const extension = (
	{ transcript, type, assistant_name, scenario }: Call,
	{ uuid }: Assistant,
	scenarios: Scenarios,
) => ({
	assistant_id: uuid,
	assistant_name,
	type,
	ended_by: scenarios.get(scenario)?.ended_by ?? null,
	formatted_transcript: transcript
		.split('\n')
		.filter((line) => /^(Assistant|Customer): /.test(line))
		.map((line) => line.replace(/^Assistant/, 'AI'))
		.join('\n'),
});

/** How often the lead was called (S2). */
const tries = ({ calls }: State, call: Call, lead: Lead): number =>
	calls.count([
		['lead_id', 'is', lead.id],
		['id', '<=', call.id],
	]);
