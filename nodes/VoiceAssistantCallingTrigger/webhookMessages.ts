import { asText, isRecord } from '../shared/values/json';
import { serviceText } from '../shared/values/serviceText';
import { describeReceiver } from '../shared/webhook/describeReceiver';
import { isOnThisN8n } from '../shared/webhook/ownership';
import { readReceiver, isAsked } from '../shared/webhook/receiver';
import { sentNames } from '../shared/webhook/sentNames';
import * as texts from '../shared/webhook/sharedTexts';
import type { CallEvent, Registration } from './events';
import type { Replaced } from './replaced';

const namesOf = (delivered: unknown) => (isRecord(delivered) ? Object.keys(delivered) : []);

/** What n8n's log says of a delivery that is no call as the documents show one. */
export const notUnderstood = (delivered: unknown): string =>
	`A delivery that is no call started the workflow: it has no status or duration beside an ID or a phone number, or it is a chat. The item has it as 'raw', and the outcome 'unknown'. Its fields: ${sentNames(namesOf(delivered))}.`;

/** What n8n's log says of a delivery that comes before the end of its call. */
export const tooEarly = (delivered: unknown): string =>
	`A delivery did not start the workflow, because its call is not over. The workflow starts when a delivery says how the call ended. Its fields: ${sentNames(namesOf(delivered))}.`;

/** What n8n's log says of a delivery that says the same as an earlier one. */
export const repeated = (delivered: unknown): string =>
	`A delivery did not start the workflow, because an earlier one of the last ten minutes said the same of its call. If it should start the workflow again, switch on the option 'Start on Repeated Deliveries'. Its fields: ${sentNames(namesOf(delivered))}.`;

const STARTING = "'Inbound Call Starting'";
const COMPLETED = "'Inbound Call Completed'";

/** What n8n's log says of a question that comes to *Inbound Call Completed*. */
export const ASKS_BEFORE = `This provider asks before the call, so the workflow with ${COMPLETED} does not start. Use ${STARTING}, and 'Call Completed' with the filter Direction inbound for calls that are over.`;

/** What n8n's log says of a call that comes to *Inbound Call Starting*. */
export const REPORTS_COMPLETED = `This provider reports inbound calls that are over and does not ask before them, so the workflow with ${STARTING} does not start. Use ${COMPLETED}.`;

/** What n8n's log says of a question that is answered at once, because runs of earlier requests have not begun. */
export const N8N_IS_BEHIND =
	"A question before a call got the fallback at once and started nothing, because n8n is busy and has not yet begun with earlier ones. To start the workflow for each question nevertheless, switch on the option 'Start When Late'.";

/** What n8n's log says of a question that has another form than the documents show. */
export const unusualQuestion = (asked: unknown): string =>
	`A request at the inbound webhook is no question as it is documented, and started the workflow. The item has it as 'raw'. Its fields: ${sentNames(namesOf(asked))}.`;

/** How to build a workflow without listening for a test event. */
const TEST_RUNS =
	'https://github.com/voice-assistant-calling/n8n-nodes-voice-assistant-calling/blob/main/docs/triggers.md#test-runs';

/** The values that the messages name. */
interface MessageValues {
	/** The assistant's record, or what is known of it. */
	assistant?: { id?: unknown; name?: unknown };
	event: Pick<CallEvent, 'noun' | 'enable' | 'disable' | 'isAnswered' | 'urlField'>;
	/** Where the calls go now. */
	registration: Registration;
	/** The URL of this trigger's own webhook. */
	webhookUrl: string;
	/** Whether the calls go to a workflow of this n8n that is not published. */
	isUnpublished?: boolean;
}

export const describeAssistant = (assistant: MessageValues['assistant']) =>
	`the assistant '${serviceText(asText(assistant?.name))}' (ID ${serviceText(asText(assistant?.id))})`;

const describeCalls = ({ event, assistant }: Pick<MessageValues, 'assistant' | 'event'>) =>
	`${event.noun} of ${describeAssistant(assistant)}`;

/** The event of the trigger that has the inbound URL; undefined when it is none of this package. */
function holdingEvent({ event, registration: { url = '' } }: MessageValues): string | undefined {
	const isTrigger = ['trigger', 'test'].includes(asText(readReceiver(url).receiver));
	if (event.urlField !== 'inbound_webhook_url' || !isTrigger) return undefined;
	return isAsked(url) ? STARTING : COMPLETED;
}

function receiverOf(values: MessageValues): string {
	const holding = holdingEvent(values);
	const receiver = describeReceiver(values.registration.url ?? '', values.webhookUrl);
	const isOther = holding && (holding === STARTING) !== values.event.isAnswered;
	return isOther ? `${receiver} (${holding})` : receiver;
}

/** What to do in place of listening for a test event. */
const pinOf = (values: Pick<MessageValues, 'event'>) =>
	values.event.isAnswered ? 'pin sample phone numbers' : "pin a call from 'Call → Get Many'";

/** What to do when the URL belongs to somebody else, in the words of the toast. */
function waysAround(values: MessageValues): string {
	const isHere = isOnThisN8n(values.registration.url ?? '', values.webhookUrl);
	if (values.isUnpublished) {
		return "It is not published, so nobody receives them. Switch on 'Replace Existing Webhook' to take them.";
	}
	if (values.event.isAnswered) {
		return isHere
			? 'An assistant has one inbound webhook. Unpublish the other workflow, or choose another assistant.'
			: "Choose another assistant, or switch on 'Replace Existing Webhook'.";
	}
	if (holdingEvent(values) === STARTING) {
		return "Use 'Call Completed' with the filter Direction inbound.";
	}
	return isHere
		? "Start this workflow from the other one with 'Execute Sub-workflow', use the Poll Trigger in this one, or choose another assistant."
		: "Use the Poll Trigger in this workflow, choose another assistant, or switch on 'Replace Existing Webhook'.";
}

const describeWhereCallsGo = (values: MessageValues) =>
	`The ${describeCalls(values)} already go to ${receiverOf(values)}${
		values.registration.isActive ? '' : ' (delivery is switched off at the moment)'
	}`;

/** For an expression that gives no event. */
export const eventNotChosen = "'Trigger On' is none of its choices. Choose an event.";

/** For a field that is empty or has no ID. */
export const assistantNotChosen = (entered: string): string =>
	entered
		? `'Assistant' must be an ID, a whole number from 1 (the value is: ${entered}). Choose an assistant.`
		: "'Assistant' is empty. Choose an assistant.";

/**
 * Somebody else receives the assistant's calls. The toast of n8n 2.41 shows some 360 characters, so the
 * message has only the usual ways.
 */
export const urlTaken = (values: MessageValues): string =>
	`${describeWhereCallsGo(values)}. ${waysAround(values)}`;

/** The same refusal while the user listens for a test event. */
export const urlTakenInTest = (values: MessageValues): string =>
	`${describeWhereCallsGo(values)}, and a test does not change that. Choose another assistant, or ${pinOf(values)}: ${TEST_RUNS}`;

/**
 * The service does not show where the calls go. The toast of n8n 2.41 shows some 360 characters.
 */
export const urlUnknown = (values: MessageValues): string =>
	`The service does not show whether the ${describeCalls(values)} already go to another system. If none needs them, switch on 'Replace Existing Webhook'. First note the URL in your account at the provider: it cannot be put back.`;

/** The same refusal while the user listens for a test event. */
export const urlUnknownInTest = (values: MessageValues): string =>
	`The service does not show whether the ${describeCalls(values)} already go to another system, and a test must not disconnect one. Instead, ${pinOf(values)}: ${TEST_RUNS}`;

/** This trigger is published, and listening for a test event would disconnect it. */
export const webhookListeningRefused = (values: MessageValues): string =>
	`This trigger is published and receives the ${describeCalls(values)}, so it does not listen for a test event. Unpublish the workflow, or ${pinOf(values)}: ${TEST_RUNS}`;

/** For the log: the webhook of another system was replaced. */
export const replaced = (values: MessageValues): string =>
	`The ${describeCalls(values)} went to ${receiverOf(values)} and now start this workflow. Unpublishing puts the former webhook URL back.`;

/** For the log: the trigger's own URL had another address. */
export const moved = (values: MessageValues): string =>
	`The ${describeCalls(values)} went to another address, ${receiverOf(values)}, where no n8n receives them for this trigger. They now start this workflow.`;

export const registeredAt = ({ assistantId }: { assistantId: number }): string =>
	`registered at the assistant ${assistantId}`;

/** After a publish that failed, for its message. */
export const webhookMayBeLeft = ({ assistant }: Pick<MessageValues, 'assistant'>): string =>
	`The webhook URL of this trigger may be left at ${describeAssistant(assistant)}: 'Voice Assistant → Get Webhook Status' shows it, and unpublishing removes it.`;

/** For the log: the trigger's own URL leads to another address. */
export const webhookLeftElsewhere = ({
	registration: { url },
	webhookUrl,
	...values
}: MessageValues) =>
	texts.leavesAsItIs(
		`the webhook URL of ${describeAssistant(values.assistant)}`,
		describeReceiver(url ?? '', webhookUrl),
		`receiving the ${values.event.noun}`,
	);

/** For the log: the account of the credential is not the one in which the trigger is registered. */
export const webhookLeftUnseen = (values: { assistantId: number }): string =>
	texts.mayStillBe(registeredAt(values));

/** For the log: the service does not show what was replaced. */
export const cannotPutBack = (values: Pick<MessageValues, 'assistant' | 'event'>): string =>
	`The ${describeCalls(values)} now start this workflow. The service did not show the former webhook URL of ${describeAssistant(values.assistant)}, so unpublishing cannot put it back. If another system had this webhook, get its URL from that system.`;

/** For the log: the webhook of another system was never shown. */
export const hiddenNotPutBack = ({
	assistant,
	event,
}: Pick<MessageValues, 'assistant' | 'event'>): string =>
	`The ${event.noun} of ${describeAssistant(assistant)} go to nobody now. The service did not show the former webhook URL, so it could not be put back. If another system had it, get the URL there and set it with '${event.enable}'.`;

/** For the log: the webhook of another system cannot be decrypted. */
export const notPutBack = ({
	assistant,
	event,
}: Pick<MessageValues, 'assistant' | 'event'>): string =>
	`The former webhook URL of ${describeAssistant(assistant)} could not be put back, because the API token of the credential or the encryption key of n8n was changed since this trigger replaced it. The ${event.noun} go to nobody now. Set the URL again with '${event.enable}'.`;

/** For the log: nobody knows what the assistant's settings were before. */
export const settingsHidden = (
	state: Pick<MessageValues, 'assistant'> & { hiddenSettings: string[] },
) =>
	`The service does not show ${state.hiddenSettings.join(' and ')} of ${describeAssistant(state.assistant)}. Publishing sets it as this trigger has it, and unpublishing leaves it.`;

/** For the log: the service took the settings, and shows others. */
export const settingsNotKept = ({ assistant }: Pick<MessageValues, 'assistant'>, names: string[]) =>
	`The service accepted ${names.join(' and ')} of ${describeAssistant(assistant)}, and shows another value. Check it in your account at the provider: it decides which calls start this workflow, and what they have.`;

/** The service accepted the webhook URL, but delivery is off. */
export const notActive = ({ assistant }: Pick<MessageValues, 'assistant'>): string =>
	`The service accepted the webhook URL, but delivery is switched off at ${describeAssistant(assistant)}. Publish the workflow again, and ask your provider if it fails again.`;

/** Another program has registered its URL at the same moment. */
export const changedMeanwhile = (values: MessageValues): string =>
	`While this trigger was registered, somebody else changed the webhook URL of ${describeAssistant(values.assistant)}: the ${values.event.noun} go to ${receiverOf(values)}. Choose another assistant, or publish the workflow again when nobody else needs them.`;

/**
 * The service accepted the webhook URL, and shows another one. All its requests would be refused.
 *
 * @param putBack what the assistant has again; undefined when it could not be put back
 */
export const notKept = (
	{ assistant, event }: Pick<MessageValues, 'assistant' | 'event'>,
	lengths: texts.Lengths,
	putBack: Replaced | undefined,
): string => {
	const former = putBack?.registration ? 'its former webhook again' : 'no webhook now';
	const nextStep = putBack
		? `It has ${former}.`
		: `Its former webhook could not be put back: set it with '${event.enable}', or switch it off with '${event.disable}'.`;
	return `The service did not keep the webhook URL of ${describeAssistant(assistant)} as it was written: ${texts.bothLengths(lengths)} ${nextStep} ${event.isAnswered ? 'Ask' : 'Use the Poll Trigger, or ask'} your provider to keep webhook URLs unchanged.`;
};
