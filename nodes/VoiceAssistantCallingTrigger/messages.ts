import { asText } from '../shared/client/json';
import type { CallEvent, Registration } from './events';

/** What the messages are about. */
export interface Subject {
	/** The assistant's record, or what is known of it. */
	assistant: { id?: unknown; name?: unknown };
	event: Pick<CallEvent, 'noun' | 'disable'>;
	/** The URL of this trigger's own webhook. */
	webhookUrl: string;
}

const callsOf = ({ event, assistant }: Subject) =>
	`${event.noun} of the assistant '${asText(assistant.name)}' (ID ${asText(assistant.id)})`;

function receiverOf({ url }: Registration, { webhookUrl }: Subject): string {
	if (!URL.canParse(url)) return 'an address that cannot be read';
	const { host } = new URL(url);
	const isHere = host === new URL(webhookUrl).host;
	return `the host ${host}${isHere ? ', to another trigger or workflow on this n8n' : ''}`;
}

const taken = (subject: Subject, registration: Registration) =>
	`The ${callsOf(subject)} already go to ${receiverOf(registration, subject)}${
		registration.isActive ? '' : ' (delivery is switched off at the moment)'
	}`;

const howToFree = ({ event }: Subject) =>
	`Choose another assistant, or free the address with '${event.disable}' if nobody needs it.`;

/** The assistant is not in the account. */
export const assistantIsGone = (assistantId: number): string =>
	`The assistant with the ID ${assistantId} does not exist in this account. It may have been deleted, or the API token belongs to another account. Choose another assistant.`;

/** No usable assistant was chosen. */
export const noAssistant = (entered: string): string =>
	entered
		? `'Assistant' must be an ID, a whole number from 1. The value is: ${entered}. Choose an assistant.`
		: "'Assistant' is empty. Choose an assistant.";

/** Somebody else receives the assistant's calls. */
export const isForeign = (subject: Subject, registration: Registration): string =>
	`${taken(subject, registration)}. An assistant has one address only, so nothing was changed. ${howToFree(subject)}`;

/** Somebody else receives the assistant's calls, and this is only a test. */
export const isForeignInTest = (subject: Subject, registration: Registration): string =>
	`${taken(subject, registration)}, so nothing was changed. ${howToFree(subject)} To build the workflow meanwhile, pin a call from 'Call > Get Many' as the output of this trigger.`;

/** This very trigger is live, and listening for a test event would disconnect it. */
export const isLive = (subject: Subject): string =>
	`This trigger is published and receives the ${callsOf(subject)}. Listening for a test event would disconnect it, so nothing was changed. Unpublish the workflow first (if it is not published, publish and unpublish it once), or pin a call from 'Call > Get Many' as the output of this trigger.`;
