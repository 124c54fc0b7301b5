import { ACCOUNT_PATH } from '../../../shared/client/credential';
import { recordShapes } from '../../../shared/records/recordShapes';
import type { Operation } from '../operation';

/** public-service: GET `/user/me`; S1, S2, S4, S7. */
export const get: Operation = {
	name: 'Get',
	action: 'Get account',
	description: 'Retrieve the name, the email address and the balance of the account',
	request: { method: 'GET', url: ACCOUNT_PATH },
	notInContract: { wayRound: 'Look at the balance in your account at the provider.' },
	record: recordShapes.account,
	fields: [],
};
