import { ApiError } from '../../base/apiError.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Sms } from '../../store/records.mts';
import type { Handler } from '../context.mts';
import { addEvent } from '../events.mts';
import { findOwned } from '../ownership.mts';
import { toE164 } from '../phone.mts';
import { money, priceFor } from '../prices.mts';
import { plainTime } from '../times.mts';
import { countSegments } from './countSegments.mts';
import { recipient as findRecipient } from './recipient.mts';

/** POST /user/sms. The contract's five preconditions; the balance last, as the price needs the recipient. */
const sendSms: Handler<Schemas['SmsSend']> = (context, user, { body }) => {
	const { state, now, random, assumptions } = context;
	const sender = findOwned(state.phoneNumbers, body.from, user);
	if (!sender) throw new ApiError(400, 'From number not found');
	if (!sender.sms_capable) throw new ApiError(400, 'Phone number is not SMS-capable');
	const expiry = sender.subscription_expires_at;
	if (expiry !== null && expiry <= now) {
		throw new ApiError(400, 'Phone number subscription is not active');
	}
	const recipient = toE164(body.to, assumptions['phone-number-formats'].default_country);
	if (!recipient) throw new ApiError(400, 'Invalid phone number format');

	const segments = countSegments(body.body);
	const price = priceFor(recipient, assumptions['sms-price']);
	const cost = money(segments * price);
	if (cost > user.balance) throw new ApiError(400, 'Insufficient balance to send SMS');

	state.users.update({ ...user, balance: money(user.balance - cost) });
	const message = state.messages.insert({
		user_id: user.id,
		phone_number_id: sender.id,
		to: recipient,
		body: body.body,
		segments,
		segment_price: price,
		total_cost: cost,
		status: 'sent',
		sms_sid: `SM${random.hex(32)}`,
		created_at: now,
		updated_at: now,
	});
	addEvent(context, {
		kind: 'sms-sent',
		text: `SMS ${message.id} was sent from ${sender.phone_number} to ${recipient} for ${cost} units.`,
		user_id: user.id,
		message_id: message.id,
		...findRecipient(message, state),
	});
	const data =
		assumptions['sms-record'] === 'newer'
			? newerRecord(message, sender.phone_number)
			: smsRecord(message, assumptions['time-zone']);
	return { status: 200, body: { message: 'SMS sent successfully', data } };
};

/** An SMS as the service shows it. */
export const smsRecord = (message: Sms, timeZone: string): Schemas['SmsMessage'] => ({
	...message,
	created_at: plainTime(message.created_at, timeZone),
	updated_at: plainTime(message.updated_at, timeZone),
});

/** An SMS as the newer generation shows it (public-service.md: Other records, S1). */
const newerRecord = (message: Sms, from: string) => ({
	sms_id: message.sms_sid,
	from,
	to: message.to,
	body: message.body,
	segments: message.segments,
	cost: message.total_cost,
	currency: 'USD',
	status: message.status,
});

export const operations = { sendSms };
