import type { Schemas } from '../../contract/schemas.mts';
import type { Handler } from '../context.mts';
import { listLanguages, listModels, listVoices } from './choices.mts';
import { listAssistantPhoneNumbers, listPhoneNumbers } from './phoneNumbers.mts';

/** GET /user/me: a bare record (public-service.md: GET /user/me, S1, S2). */
const getAccount: Handler = (_context, user) => {
	const account: Schemas['Account'] = {
		name: user.name ?? `User ${user.id}`,
		email: `user${user.id}@example.com`,
		total_balance: user.balance,
	};
	return { status: 200, body: account };
};

export const operations = {
	getAccount,
	listAssistantPhoneNumbers,
	listLanguages,
	listModels,
	listPhoneNumbers,
	listVoices,
};
