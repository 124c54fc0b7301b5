import { hasUnknownOutcome, ServiceError } from '../../shared/client/errors';

/** What became of a failed item. */
export type FailureKind = 'not sent' | 'unknown' | 'refused' | 'failed';

/**
 * Tells what became of a failed item: the service was asked nothing, may have carried it out, refused
 * it, or did not receive it.
 */
export function failureKind(error: unknown): FailureKind {
	if (!(error instanceof ServiceError)) return 'not sent';
	if (hasUnknownOutcome(error)) return 'unknown';
	return error.refused ? 'refused' : 'failed';
}
