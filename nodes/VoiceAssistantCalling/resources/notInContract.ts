import { mayLackOperation, ServiceError } from '../../shared/client/errors';

/** What an operation has that only other public documents show (openapi.yaml: `x-documented`). */
export interface NotInContract {
	/**
	 * What else a user can do at a provider without the operation, as sentences; undefined when the operation
	 * itself goes another way.
	 */
	wayRound?: string;
	/** How the service begins to say that a record is not there; undefined for an operation without one. */
	notFound?: string;
}

/** The description of such an operation. */
export const withWarning = (description: string): string =>
	`${description.replace(/\.$/, '')}. Not in the contract: some providers may lack it.`;

/**
 * Says of a failed request that the provider may lack the operation, and what to do then.
 *
 * @returns the error itself when it has another cause
 */
export function explainLack(error: unknown, { wayRound, notFound }: NotInContract): unknown {
	if (wayRound === undefined || !mayLackOperation(error, notFound)) return error;
	const mayBeId = notFound !== undefined && error.httpCode === '404';
	const texts = [
		// The service itself answers in JSON, also where it has no such path.
		...(error.isJson ? [] : ['Check the Base URL in the credential if other operations fail too.']),
		mayBeId
			? 'Check the ID. If it is right, your provider does not have this operation.'
			: 'Your provider does not have this operation.',
		wayRound,
	];
	return new ServiceError({ ...error, message: error.message, nextStep: texts.join(' ') });
}
