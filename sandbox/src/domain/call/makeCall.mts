import { ApiError } from '../../base/apiError.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Handler } from '../context.mts';
import { findOwned } from '../ownership.mts';
import { toE164 } from '../phone.mts';
import { callCosts } from '../prices.mts';
import { startCall } from './startCall.mts';

/** POST /user/make_call: calls a person without a campaign (public-service.md: POST /user/make_call, S1). */
export const makeCall: Handler<Schemas['CallNow']> = (context, user, { body }) => {
	const { phone_number: phoneNumber, assistant_id, variables } = body;
	if (toE164(phoneNumber, null) !== phoneNumber) {
		const format = 'Please use E.164 format (e.g. +1234567890)';
		throw new ApiError(400, `Invalid phone number format. ${format}`);
	}
	const assistant = findOwned(context.state.assistants, assistant_id, user);
	if (!assistant) {
		throw new ApiError(404, 'Assistant not found or does not belong to the authenticated user');
	}
	if (user.balance < callCosts(1).total_cost) {
		throw new ApiError(422, 'Insufficient balance to make call. Please top up your account.');
	}
	const { id } = startCall(context, { assistant, type: 'outbound', phoneNumber, variables });
	const message = 'Call initiated successfully';
	return { status: 200, body: { message, call_id: id, status: 'initiated' } };
};
