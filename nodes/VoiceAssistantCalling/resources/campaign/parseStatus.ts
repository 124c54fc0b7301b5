import { parseResponse, type ParseResponse } from '../../../shared/client/response';
import { asText } from '../../../shared/values/json';
import { serviceText } from '../../../shared/values/serviceText';

/**
 * Parses the response of the one operation that says in its body whether it did what it was asked for
 * (contract: update-status, `success`): false is a refusal.
 */
export const parseStatus: ParseResponse = (response, secret) => {
	const parsed = parseResponse(response, secret);
	if ('failure' in parsed || parsed.body.success !== false) return parsed;
	const words = serviceText(asText(parsed.body.message), secret);
	return {
		failure: {
			message: words || 'The service did not change the campaign',
			advice: 'Fix the problem that the service reports, then try again.',
			httpCode: String(response.statusCode),
			received: 'yes',
			refused: true,
		},
	};
};
