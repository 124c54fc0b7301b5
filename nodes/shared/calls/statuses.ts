/** The statuses of a call that is not over (contract: States; assumed: final-call-statuses). */
const OPEN_STATUSES: readonly unknown[] = ['initiated', 'ringing', 'in-progress'];

/**
 * Tells whether a call is over. Every other status is final, also one that the contract does not name.
 *
 * @param status of a call record; any value
 */
export const isFinalStatus = (status: unknown): boolean =>
	typeof status === 'string' && status !== '' && !OPEN_STATUSES.includes(status);
