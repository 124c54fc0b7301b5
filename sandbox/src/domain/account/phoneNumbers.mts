import { parsePhoneNumberFromString } from 'libphonenumber-js';

import type { Schemas } from '../../contract/schemas.mts';
import type { PhoneNumber } from '../../store/records.mts';
import type { Context, Handler } from '../context.mts';
import { preciseTime } from '../times.mts';

const LABELS = { normal: 'Dedicated Number', sip: 'SIP Trunk', caller_id: 'Caller ID' };

/** The country of a number in E.164; the first of those that share its country code. */
function countryCode({ phone_number }: PhoneNumber): string | null {
	const phone = parsePhoneNumberFromString(phone_number);
	return phone?.country ?? phone?.getPossibleCountries()[0] ?? null;
}

const ownNumbers = ({ state }: Context, userId: number): PhoneNumber[] =>
	state.phoneNumbers.select([['user_id', 'is', userId]]);

/** GET /user/phone-numbers/all (public-service.md: Voices, languages, models, providers, numbers, S1, S2) */
export const listPhoneNumbers: Handler = (context, user) => {
	const data = ownNumbers(context, user.id).map((line): Schemas['PhoneNumberRecord'] => {
		const { subscription_expires_at: expiry } = line;
		return {
			id: line.id,
			phone_number: line.phone_number,
			nickname: null,
			country_code: countryCode(line),
			type: line.type,
			type_label: LABELS[line.type],
			sms_capable: line.sms_capable,
			region: 'us1',
			has_active_subscription: expiry === null || expiry > context.now,
			created_at: preciseTime(line.created_at),
		};
	});
	return { status: 200, body: { data } };
};

interface LineQuery {
	type?: Schemas['AssistantType'];
}

/**
 * GET /user/assistants/phone-numbers. Inbound assistants take no caller ID, and no number that another one has
 * (public-service.md: Voices, languages, models, providers, numbers, S1, S2, S12a).
 */
export const listAssistantPhoneNumbers: Handler<undefined, LineQuery> = (
	context,
	user,
	{ query },
) => {
	const inbound = context.state.assistants
		.select([['user_id', 'is', user.id]])
		.filter(({ settings }) => settings.calls_direction === 'receive');
	const taken = new Set(inbound.map(({ settings }) => settings.phone_number_id));
	const body = ownNumbers(context, user.id)
		.filter(({ id, type }) => query.type !== 'inbound' || (type !== 'caller_id' && !taken.has(id)))
		.map((line): Schemas['AssistantPhoneNumber'] => ({
			id: line.id,
			phone_number: line.phone_number,
			country_code: countryCode(line),
			type_label: LABELS[line.type],
			is_available: !taken.has(line.id),
		}));
	return { status: 200, body };
};
