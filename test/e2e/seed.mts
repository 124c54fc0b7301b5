import { newAssistant, newTool, twoUsers } from '../../sandbox/test/support/seed.mts';
import type { JsonObject } from '../../sandbox/test/support/contract.mts';

/** The owner of the assistants where the triggers register. */
export const CAROL = 'carol-token';

/** ID of Carol's phone number, for SMS. */
export const PHONE_NUMBER = '201';

/** Carol's assistants, one for each check of a trigger, so that the checks are independent. */
export const ASSISTANTS = {
	postCall: 201,
	inbound: 202,
	taken: 203,
	listenEvent: 204,
	listenCancel: 205,
	listenLive: 207,
	copyA: 209,
	copyB: 210,
	restart: 211,
	killed: 212,
	upgrade: 213,
	listenKilled: 214,
	copyC: 215,
	sameMoment: 216,
	poll: 217,
	refusedDeliveries: 219,
	unusualDeliveries: 220,
	forgedDeliveries: 221,
	replaced: 222,
	settingByExpression: 224,
	beforeRefusal: 225,
	question: 226,
} as const;

/** Alice and Bob (sandbox/test/support/seed.mts), a finished call of Alice, and Carol. */
export function seed(): { users: JsonObject[] } {
	const [alice, ...others] = twoUsers().users;
	const call = {
		id: 1,
		assistant_id: 1,
		campaign_id: 1,
		type: 'outbound',
		status: 'completed',
		client_phone_number: '+4915112345611',
		recording_url: '/recordings/call-1.wav',
		created_at: '2026-02-10 09:00:00',
	};
	return { users: [{ ...alice, calls: [call] }, ...others, carol()] };
}

function carol(): JsonObject {
	return {
		token: CAROL,
		balance: 100,
		voices: [{ id: 201, name: 'Dora' }],
		languages: ['English'],
		phone_numbers: [
			{
				id: 201,
				phone_number: '+4915112345201',
				sms_capable: true,
				subscription_expires_at: null,
			},
		],
		tools: [{ ...newTool, id: 201 }],
		assistants: Object.entries(ASSISTANTS).map(([name, id]) => ({
			...newAssistant,
			id,
			voice_id: 201,
			assistant_name: name,
			calls_direction: name === 'inbound' ? 'receive' : 'make',
			phone_number_id: 201,
		})),
	};
}
