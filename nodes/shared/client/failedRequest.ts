import type { IHttpRequestMethods } from 'n8n-workflow';

import { ServiceError, TRY_LATER, type FieldErrors } from './errors';

const NOT_SENT_AGAIN =
	'The request was not sent again. Check in your account at the provider before you try again.';

/** What is known about a failed try of a request. */
export interface Failure {
	message: string;
	/** What to do next, if more than to try again. */
	advice?: string;
	httpCode?: string;
	errors?: FieldErrors;
	/** How many more messages the service sent than `errors` has. */
	omittedErrors?: number;
	/** Whether the service received the request. */
	received: 'no' | 'maybe' | 'yes';
	/** Whether the service received the request and refused it. */
	refused?: boolean;
	/** Whether the same request may succeed later: rate limit, 5xx, a gateway that gave up, failed connection. */
	retryable?: boolean;
	/** The wait that the service asks for (429, 503), in milliseconds. */
	retryAfterMs?: number;
	/** Whether the response was JSON, as those of the service are. A gateway sends a page or text. */
	isJson?: boolean;
}

/** Whether a failed request may have changed something at the service. */
function isOutcomeUnknown(method: IHttpRequestMethods, { received, refused }: Failure): boolean {
	return method !== 'GET' && received !== 'no' && refused !== true;
}

/** Makes the error of a request whose last try failed. */
export function toServiceError(method: IHttpRequestMethods, failure: Failure): ServiceError {
	const outcomeUnknown = isOutcomeUnknown(method, failure);
	const message = outcomeUnknown
		? `${failure.message.replace(/\.$/, '')}; the request may have been carried out`
		: failure.message;
	const otherwise = outcomeUnknown ? NOT_SENT_AGAIN : failure.advice ? '' : TRY_LATER;
	const nextStep = [failure.advice ?? '', otherwise].filter(Boolean).join(' ');
	return new ServiceError({ ...failure, message, nextStep, outcomeUnknown });
}
