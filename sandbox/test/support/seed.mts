import type { JsonObject } from './contract.mts';

export const ALICE = 'alice-token';
export const BOB = 'bob-token';

/** The start time of the sandbox's clock. */
export const NOW = '2026-03-02T09:00:00Z';

/** The nine required fields of an assistant, all valid for Alice. */
export const newAssistant = {
	assistant_name: 'Reception',
	voice_id: 1,
	language: 'English',
	llm_model: 'gpt-4o',
	calls_direction: 'make',
	engine_type: 'pipeline',
	timezone: 'Europe/Berlin',
	initial_message: 'Hello, this is the reception.',
	system_prompt: 'You are a friendly receptionist.',
} as const;

/** The four required fields of a mid call tool. */
export const newTool = {
	name: 'get_weather',
	description: 'Use it when the caller asks for the weather.',
	endpoint: 'https://tools.example.com/weather',
	method: 'GET',
} as const;

/** A field of a post-call schema, or a parameter of a tool. */
export const schemaField = (name: string, type: string, description: string) => ({
	name,
	type,
	description,
});

/** A phone number that can send SMS, and whose subscription ends then. */
const phoneNumber = (
	id: number,
	phone_number: string,
	subscription_expires_at: string | null = null,
) => ({
	id,
	phone_number,
	sms_capable: true,
	subscription_expires_at,
});

/**
 * Two users who own the same kinds of things under different ids: Alice has 1 to 99, Bob has
 * 101 and more, and nobody has 999. Alice's phone number 1 can send SMS, 2 is not SMS-capable,
 * 3 has an expired subscription, 4 a running one.
 */
export function twoUsers(): { users: JsonObject[] } {
	return {
		users: [
			{
				token: ALICE,
				balance: 10,
				tool_quota: 5,
				voices: [
					{ id: 1, name: 'Anna' },
					{ id: 2, name: 'Ben' },
				],
				languages: ['English', 'German'],
				phone_numbers: [
					phoneNumber(1, '+4915112345601'),
					{ ...phoneNumber(2, '+493012345602'), sms_capable: false },
					phoneNumber(3, '+4915112345603', '2026-01-31 00:00:00'),
					phoneNumber(4, '+4915112345604', '2027-01-31 00:00:00'),
				],
				assistants: [
					{ ...newAssistant, id: 1, assistant_name: 'Caller', phone_number_id: 1, tool_ids: [1] },
					{
						...newAssistant,
						id: 2,
						assistant_name: 'Receiver',
						calls_direction: 'receive',
						phone_number_id: 4,
					},
				],
				campaigns: [
					{ id: 1, name: 'Spring', assistant_id: 1 },
					{ id: 2, name: 'Autumn', assistant_id: 1 },
				],
				tools: [
					{ ...newTool, id: 1 },
					{ ...newTool, id: 2, name: 'book_table', method: 'POST' },
				],
				leads: [
					{
						id: 1,
						campaign_id: 1,
						phone_number: '+4915112345611',
						variables: { customer_name: 'Jane', city: 'Bonn' },
					},
				],
			},
			{
				token: BOB,
				balance: 10,
				tool_quota: 2,
				voices: [{ id: 101, name: 'Clara' }],
				languages: ['French'],
				phone_numbers: [phoneNumber(101, '+33612345601')],
				assistants: [
					{
						...newAssistant,
						id: 101,
						assistant_name: 'Bob caller',
						voice_id: 101,
						language: 'French',
					},
				],
				campaigns: [{ id: 101, name: 'Bob campaign', assistant_id: 101 }],
				tools: [{ ...newTool, id: 101 }],
				leads: [{ id: 101, campaign_id: 101, phone_number: '+33612345611' }],
			},
		],
	};
}

/** A seed of Alice with one assistant, and one running campaign, which calls these leads. */
export const runningCampaign = (
	leads: JsonObject[],
	{ assistant = {}, campaign = {} }: { assistant?: JsonObject; campaign?: JsonObject } = {},
) => ({
	users: [
		{
			token: ALICE,
			assistants: [{ ...newAssistant, id: 1, ...assistant }],
			campaigns: [{ id: 1, name: 'Spring', assistant_id: 1, status: 'in-progress', ...campaign }],
			leads: leads.map((lead) => ({ campaign_id: 1, ...lead })),
		},
	],
});
