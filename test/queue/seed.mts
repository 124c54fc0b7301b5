import type { JsonObject } from '../../sandbox/test/support/contract.mts';
import { newAssistant } from '../../sandbox/test/support/seed.mts';

/** One user with two assistants, and a balance for thousands of SMS. */
export const TOKEN = 'queue-token';
export const ASSISTANT = 1;
/** Uses a tool, so that no event of its calls is counted. */
export const TOOL_ASSISTANT = 2;
export const SMS_NUMBER = 1;

export function seed(): { users: JsonObject[] } {
	return {
		users: [
			{
				token: TOKEN,
				balance: 1_000_000,
				voices: [{ id: newAssistant.voice_id, name: 'Anna' }],
				languages: [newAssistant.language],
				phone_numbers: [
					{
						id: SMS_NUMBER,
						phone_number: '+4915112345601',
						sms_capable: true,
						subscription_expires_at: null,
					},
				],
				assistants: [ASSISTANT, TOOL_ASSISTANT].map((id) => ({
					...newAssistant,
					id,
					phone_number_id: SMS_NUMBER,
				})),
			},
		],
	};
}
