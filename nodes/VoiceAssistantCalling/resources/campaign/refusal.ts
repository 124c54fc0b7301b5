import { ServiceError } from '../../../shared/client/errors';
import { asText } from '../../../shared/values/json';
import { serviceText } from '../../../shared/values/serviceText';
import type { HandleResponse } from '../operation';

/**
 * Gives the response, or the refusal in it: this operation alone says in its body whether it did what it was
 * asked for (contract: update-status, `success`).
 *
 * @throws {ServiceError} when `success` is false
 */
export const refuseWithoutSuccess: HandleResponse = async (response) => {
	const body = await response;
	if (body.success !== false) return body;
	throw new ServiceError({
		message: serviceText(asText(body.message)) || 'The service did not change the campaign',
		nextStep: 'Fix the problem that the service reports, then try again.',
		refused: true,
	});
};
