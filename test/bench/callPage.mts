import { assistantName, CHANGED_AT, phoneNumber, phoneNumberIdOf } from './assistantPage.mts';
import { listPage } from './listPage.mts';

/** The most pages that the node, and its picker, read to find a call. */
export const CALL_PAGES = 20;

/** How many assistants have calls: the first ones. Each page of 100 calls has one call of each. */
export const CALLING_ASSISTANTS = 100;

const TRANSCRIPT = [
	'Assistant: Hello, this is the reception of the practice. How can I help you?',
	'Customer: I would like to move my appointment from Tuesday to Thursday, if that is possible.',
	'Assistant: Let me look. On Thursday there is 10:30 or 14:15. Which one suits you better?',
	'Customer: 14:15 please, and could you send me a confirmation?',
	'Assistant: Of course, I will send it to the number that you call from. Good bye!',
].join('\n');

/** A call begins this long after the one before it. */
const CALL_INTERVAL_MS = 8_000;
/** All calls come after the last change of the assistants, so they show the present numbers. */
const FIRST_CALL = Date.parse(CHANGED_AT);

const serviceTime = (time: number): string =>
	new Date(time).toISOString().slice(0, 19).replace('T', ' ');

function callRecord(id: number, origin: string) {
	const assistant = 1 + (id % CALLING_ASSISTANTS);
	const createdAt = FIRST_CALL + id * CALL_INTERVAL_MS;
	return {
		id,
		assistant_name: assistantName(assistant),
		campaign_name: 'Spring',
		type: 'outbound',
		duration: 60 + (id % 240),
		assistant_phone_number: phoneNumber(phoneNumberIdOf(assistant)),
		client_phone_number: `+49151${20_000_000 + id}`,
		status: 'completed',
		transcript: TRANSCRIPT,
		variables: { customer_name: `Customer ${id}`, city: 'Bonn', appointment: 'Thursday, 14:15' },
		evaluation: { summary: 'The customer moved the appointment.', sentiment: 'positive' },
		webhook_response: { status: 200 },
		carrier_cost: 0.02,
		total_cost: 0.11,
		answered_by: 'human',
		recording_url: `${origin}/recordings/${id}.mp3`,
		created_at: serviceTime(createdAt),
		updated_at: serviceTime(createdAt + 4 * 60_000),
	};
}

/** Makes a page of the list of calls, the newest first; a record has about 1 KB. */
export const callPage = (url: URL, total: number) =>
	listPage(url, total, (place) => callRecord(total - place, url.origin));
