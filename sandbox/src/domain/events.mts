import { hideInUrl } from '../base/secrets.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { NewEvent } from '../store/eventTable.mts';
import type { Assistant, Call, Campaign, Lead, Tool } from '../store/records.mts';
import type { Context } from './context.mts';
import { plainTime } from './times.mts';

/**
 * Tells people what happens, in the transaction in which it happens: the timeline of the sandbox.
 *
 * @param event its text is whole sentences with names; it gets a capital letter and loses secrets
 */
export function addEvent(
	{ state, now, requestId }: Pick<Context, 'state' | 'now' | 'requestId'>,
	event: Omit<NewEvent, 'at' | 'request_id'>,
): void {
	const text = event.text.charAt(0).toUpperCase() + event.text.slice(1);
	const shown = state.tokens.hidden().inText(hideInUrl(text));
	state.events.add({ at: now, request_id: requestId, ...event, text: shown });
}

/** The records that an event of this lead is about. */
export const leadSubjects = ({ id, user_id, campaign_id }: Lead) => ({
	user_id,
	campaign_id,
	lead_id: id,
});

/** The records that an event of this assistant is about. */
export const assistantSubjects = ({ id, user_id }: Assistant) => ({
	user_id,
	assistant_id: id,
});

/** The records that an event of this call is about. */
export const callSubjects = ({ id, user_id, assistant_id, campaign_id, lead_id }: Call) => ({
	user_id,
	assistant_id,
	campaign_id,
	lead_id,
	call_id: id,
});

/** A status as people write it: "no answer" */
export const describeStatus = (status: string): string => status.replaceAll(/[-_]/g, ' ');

/** "lead 5 (+14155550123)" */
export const describeLead = ({ id, phone_number }: Lead): string => `lead ${id} (${phone_number})`;

/** "campaign 1 “Spring”" */
export const describeCampaign = ({ id, name }: Campaign): string => `campaign ${id} “${name}”`;

/** "assistant 1 “Anna”" */
export const describeAssistant = ({ id, settings }: Assistant): string =>
	`assistant ${id} “${settings.assistant_name}”`;

/** "tool 1 “get_weather”" */
export const describeTool = ({ id, name }: Tool): string => `tool ${id} “${name}”`;

/** "call 12 to +14155550123" */
export const describeCall = ({ id, type, client_phone_number: number }: Call): string =>
	`call ${id} ${type === 'inbound' ? 'from' : 'to'} ${number || 'a suppressed number'}`;

/** The names of given fields: "status, variables". */
export const listFields = (fields: object): string => Object.keys(fields).join(', ') || 'nothing';

/** A message as the end of a longer sentence: "the receiver answered 404." */
export const asClause = (message: string): string =>
	message.charAt(0).toLowerCase() + message.slice(1).replace(/\.?$/, '.');

/** A time as in the service's records, and its time zone. */
export function shownTime(time: number, { 'time-zone': zone }: Assumptions): string {
	return `${plainTime(time, zone)} ${zone}`;
}
