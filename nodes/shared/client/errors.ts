import { NodeOperationError, type INode } from 'n8n-workflow';

/** What to do when only time can help. */
export const TRY_LATER = 'Try again later, and ask your provider if it fails again.';

/** The messages of a validation error, by field (contract: Errors). */
export type FieldErrors = Record<string, string[]>;

interface ErrorDetails {
	/** What happened, in one sentence, in the service's own words if it gave any. */
	message: string;
	/** What to do next. */
	nextStep: string;
	errors?: FieldErrors;
}

/**
 * A failure in words for the user. It holds no request, header or token, so it is safe to show, to log
 * and to put into an item.
 */
export class DescribedError extends Error {
	readonly nextStep: string;

	readonly errors: FieldErrors;

	constructor({ message, nextStep, errors = {} }: ErrorDetails) {
		super(message);
		this.name = new.target.name;
		this.nextStep = nextStep;
		this.errors = errors;
	}

	/** All texts in one, for places that show only one text. */
	get text(): string {
		const end = /[.!?]$/.test(this.message) ? '' : '.';
		const fields = Object.entries(this.errors).map(
			([field, messages]) => `${field}: ${messages.join(' ')}`,
		);
		return [`${this.message}${end}`, ...fields, this.nextStep].join(' ');
	}
}

/** The user's input cannot be sent. Nothing was sent. */
export class InvalidInput extends DescribedError {}

/**
 * The value of one field cannot be sent.
 *
 * @param label of the field on the screen
 * @param problem what follows the label in a sentence, such as *is empty*
 */
export const invalidField = (label: string, problem: string, nextStep: string): InvalidInput =>
	new InvalidInput({ message: `'${label}' ${problem}`, nextStep, errors: { [label]: [problem] } });

interface ServiceErrorDetails extends ErrorDetails {
	httpCode?: string;
	refused?: boolean;
	retryable?: boolean;
	retryAfterMs?: number;
	isJson?: boolean;
	outcomeUnknown?: boolean;
	omittedErrors?: number;
}

/** A request failed. */
export class ServiceError extends DescribedError {
	/** HTTP status, or the code of a failed connection such as `ECONNREFUSED`. */
	readonly httpCode?: string;

	/** Whether the service received the request and refused it. */
	readonly refused: boolean;

	/** Whether the same request may succeed later. */
	readonly retryable: boolean;

	/** The wait that the service asks for, in milliseconds. */
	readonly retryAfterMs?: number;

	/** Whether the response was JSON, as those of the service are. A gateway sends a page or text. */
	readonly isJson: boolean;

	/** Whether the service may have carried out the request. Such a request must not be sent again. */
	readonly outcomeUnknown: boolean;

	/** How many more messages the service sent than {@link errors} has. */
	readonly omittedErrors: number;

	constructor(details: ServiceErrorDetails) {
		super(details);
		this.httpCode = details.httpCode;
		this.refused = details.refused ?? false;
		this.retryable = details.retryable ?? false;
		this.retryAfterMs = details.retryAfterMs;
		this.isJson = details.isJson ?? false;
		this.outcomeUnknown = details.outcomeUnknown ?? false;
		this.omittedErrors = details.omittedErrors ?? 0;
	}
}

/** Whether the service may have carried out the failed request. */
export const hasUnknownOutcome = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.outcomeUnknown;

/** Whether a request failed with one of these statuses. */
const hasStatus = (error: unknown, statuses: string[]): error is ServiceError =>
	error instanceof ServiceError && statuses.includes(error.httpCode ?? '');

/**
 * Whether the account does not have the record that a request was about. The service can say of a record
 * of somebody else that it is forbidden (public-service: authorization-failures; S1).
 */
export const isNotInAccount = (error: unknown): boolean => hasStatus(error, ['403', '404']);

/**
 * Whether a request failed because the provider may lack its operation: 404 or 405. The words with which the
 * service says that a record is not there prove that it has the operation (public-service: Endpoints).
 *
 * @param notFound how these words begin; undefined when the operation is about no record
 */
export const mayLackOperation = (error: unknown, notFound?: string): error is ServiceError =>
	hasStatus(error, ['405']) ||
	(hasStatus(error, ['404']) && !(notFound && error.message.startsWith(notFound)));

/** Whether the service refused values: 422 (contract: Errors), or 400 (public-service: validation-status). */
export const isValidationError = (error: unknown): error is ServiceError =>
	hasStatus(error, ['400', '422']);

/**
 * Makes the error that a trigger throws. All text is in the message, because n8n 2.0 and 2.41 each hide
 * a part of other errors.
 *
 * @param node that shows the error
 * @param error that was thrown; any value
 */
export function toNodeError(node: INode, error: unknown): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	if (!(error instanceof DescribedError)) return new NodeOperationError(node, error as Error);
	const isUnauthorized = hasStatus(error, ['401', '403']);
	// With this word in the message, n8n 2.0 does not repeat the activation for hours.
	const prefix = isUnauthorized ? 'Authorization failed: ' : '';
	return new NodeOperationError(node, prefix + error.text);
}
