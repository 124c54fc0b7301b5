import { asText } from '../shared/json';
import type { Registration } from './events';

/** What the texts speak of. */
export interface Subject {
	/** The assistant's record, or what is known of it. */
	assistant: { id?: unknown; name?: unknown };
	/** `completed calls` or `completed inbound calls`. */
	noun: string;
}

const called = ({ assistant }: Subject) =>
	`'${asText(assistant.name)}' (ID ${asText(assistant.id)})`;

const HOW_TO_TEST =
	"To build the workflow meanwhile, get a call with 'Call > Get Many' and pin it as the output of this trigger.";

const hostOf = ({ url }: Registration) =>
	URL.canParse(url) ? `the host ${new URL(url).host}` : 'an address that cannot be read';

/** The assistant is not in the account. */
export const assistantIsGone = (assistantId: number): string =>
	`The assistant with the ID ${assistantId} does not exist in this account. It may have been deleted, or the API token belongs to another account. Choose another assistant.`;

/** No usable assistant was chosen. */
export const noAssistant = (entered: string): string =>
	`'Assistant' must be an ID, a whole number from 1${entered ? `; it is: ${entered}` : ', and is empty'}. Choose an assistant.`;

/** Somebody else receives the assistant's calls. */
export const isForeign = (subject: Subject, registration: Registration): string =>
	`The ${subject.noun} of the assistant ${called(subject)} already go to ${hostOf(registration)}${
		registration.isActive ? '' : ', where delivery is switched off at the moment'
	}. An assistant has one address only, so nothing was changed. If nobody needs that address any more, disable the webhook of the assistant first; otherwise choose another assistant.`;

/** Somebody else receives the assistant's calls, and this is only a test. */
export const isForeignInTest = (subject: Subject, registration: Registration): string =>
	`${isForeign(subject, registration)} ${HOW_TO_TEST}`;

/** This very trigger is live, and listening for a test event would disconnect it. */
export const isLive = (subject: Subject): string =>
	`This trigger is published and receives the ${subject.noun} of the assistant ${called(subject)}. Listening for a test event would cut it off, so nothing was changed. Unpublish the workflow first. ${HOW_TO_TEST}`;
