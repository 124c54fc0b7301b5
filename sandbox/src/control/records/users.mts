import type { SandboxEngine } from '../../runtime/engine.mts';
import type { User } from '../../store/records.mts';
import { iso, type RecordKind } from './recordKind.mts';

const brief = (user: User, { state }: SandboxEngine) => ({
	id: user.id,
	balance: user.balance,
	tool_quota: user.tool_quota,
	tools: state.tools.count([['user_id', 'is', user.id]]),
	assistants: state.assistants.count([['user_id', 'is', user.id]]),
	campaigns: state.campaigns.count([['user_id', 'is', user.id]]),
});

/** Accounts of the service, without their tokens unless those are asked for. */
export const users: RecordKind<User> = {
	name: 'user',
	table: (state) => state.users,
	filters: {},
	searched: [],
	brief,
	whole: (user, engine, withSecrets) => ({
		...brief(user, engine),
		phone_numbers: engine.state.phoneNumbers
			.select([['user_id', 'is', user.id]])
			.map(({ id, phone_number, sms_capable, subscription_expires_at: expiry }) => ({
				id,
				phone_number,
				sms_capable,
				subscription_expires_at: iso(expiry),
			})),
		voices: user.voices,
		languages: user.languages,
		...(withSecrets && { token: user.token }),
	}),
};
