import type { Sms } from '../../store/records.mts';
import type { State } from '../../store/store.mts';

/**
 * Whom an SMS is for, by the number: the newest call with it before the SMS, and the lead of that call.
 * Without such a call, the newest lead with this number.
 */
export function recipient(
	{ user_id, to, created_at }: Sms,
	{ calls, campaigns, leads }: Pick<State, 'calls' | 'campaigns' | 'leads'>,
) {
	const call = calls.first(
		[
			['user_id', 'is', user_id],
			['client_phone_number', 'is', to],
			['created_at', '<=', created_at],
		],
		{ by: 'created_at', newestFirst: true },
	);
	const [lead] = campaigns
		.select([['user_id', 'is', user_id]])
		.flatMap(({ id }) =>
			leads.select([
				['campaign_id', 'is', id],
				['phone_number', 'is', to],
			]),
		)
		.toSorted((one, other) => other.id - one.id);
	return { call_id: call?.id ?? null, lead_id: call?.lead_id ?? lead?.id ?? null };
}
