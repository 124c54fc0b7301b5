import { hasUnknownOutcome } from '../client/errors';

/**
 * Runs a change that reads before it writes. When the response of a write was lost, it runs once more: it
 * reads what the service did, and writes only what is missing.
 *
 * @throws what the last run throws
 */
export async function againIfUnknown(change: () => Promise<void>): Promise<void> {
	await change().catch(async (error: unknown) => {
		if (!hasUnknownOutcome(error)) throw error;
		await change();
	});
}
