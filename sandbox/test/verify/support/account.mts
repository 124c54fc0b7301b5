import { CALL_STATUSES } from '../../../src/contract/statuses.mts';
import type { JsonObject } from '../../support/contract.mts';
import { newAssistant, newTool } from '../../support/seed.mts';

export const TOKEN = 'the-token-of-this-account';

/** Minutes between two calls, so that a page of 25 spans hours. */
const STEP = 20;

interface Size {
	calls?: number;
	assistants?: number;
}

/**
 * A seed of an account that shows everything: each status, calls with and without texts, all around
 * the clock up to a minute ago, assistants with tools.
 */
export function account({ calls = 120, assistants = 8 }: Size = {}): { users: JsonObject[] } {
	const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
	return {
		users: [
			{
				token: TOKEN,
				tools: [{ ...newTool, id: 1, headers: [{ name: 'X-Key', value: 'secret' }] }],
				assistants: ids(assistants).map((id) => ({ ...newAssistant, id, tool_ids: [1] })),
				campaigns: [{ id: 1, name: 'Spring', assistant_id: 1 }],
				// The oldest first, as they were made.
				calls: ids(calls)
					.reverse()
					.map((age) => ({ ...call(age), ago: `PT${1 + (age - 1) * STEP}M` })),
			},
		],
	};
}

/** Every second call was answered. */
const call = (age: number): JsonObject => ({
	assistant_id: 1,
	status: CALL_STATUSES[age % CALL_STATUSES.length],
	...(age % 2 === 0 && {
		campaign_id: 1,
		client_phone_number: '+4915112345611',
		duration: 60 + age,
		transcript: 'Assistant: Hello.\nCustomer: Goodbye.',
		variables: { city: 'Bonn' },
		evaluation: { score: 7 },
		webhook_response: { status: 200, body: 'ok' },
		recording_url: '/recordings/call.wav',
	}),
});
