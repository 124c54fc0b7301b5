/** No record has this ID: services count up from 1, and this is the largest that many can store. */
export const IMPOSSIBLE_ID = 2_147_483_647;

/** No country has this code, and no number is that short. */
export const IMPOSSIBLE_NUMBER = '+999000';

/** A field that no request has. */
export const UNKNOWN_FIELD = 'no_such_field';

/** A lead that cannot be created for two reasons: its number, and its campaign. */
export const IMPOSSIBLE_LEAD = { phone_number: IMPOSSIBLE_NUMBER, campaign_id: IMPOSSIBLE_ID };

/** An assistant that would be valid with other voice, language, phone number and tool. */
export const IMPOSSIBLE_ASSISTANT = {
	assistant_name: 'To be refused',
	voice_id: IMPOSSIBLE_ID,
	language: 'No such language',
	llm_model: 'no-such-model',
	calls_direction: 'receive',
	engine_type: 'pipeline',
	timezone: 'Europe/Berlin',
	initial_message: 'To be refused',
	system_prompt: 'To be refused',
	phone_number_id: IMPOSSIBLE_ID,
	tool_ids: [IMPOSSIBLE_ID],
};
