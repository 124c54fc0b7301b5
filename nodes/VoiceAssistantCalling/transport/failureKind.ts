import { DescribedError, hasUnknownOutcome, ServiceError } from '../../shared/client/errors';
import type { ItemDetails } from './errorTexts';

/** What became of a failed item. */
export type FailureKind = 'not sent' | 'unknown' | 'refused' | 'failed';

/**
 * Tells what became of a failed item: nothing was sent for it, the service may have carried it out, the
 * service refused it, or it failed without effect.
 */
export function failureKind(error: unknown, { isSent = false }: ItemDetails): FailureKind {
	if (hasUnknownOutcome(error)) return 'unknown';
	if (error instanceof ServiceError && error.refused) return 'refused';
	if (!isSent) return 'not sent';
	return error instanceof DescribedError ? 'failed' : 'unknown';
}
