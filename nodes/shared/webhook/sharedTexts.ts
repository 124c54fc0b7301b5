/** Texts of both triggers with a webhook. */

export const assistantNotFound = (assistantId: number): string =>
	`The assistant with the ID ${assistantId} does not exist in this account: it may have been deleted, or the API token belongs to another account. Choose another assistant.`;

/**
 * For the log: what leads to another address.
 *
 * @param what is left
 * @param receiver where it leads
 * @param goesOn what another n8n would go on doing there
 */
export const leavesAsItIs = (what: string, receiver: string, goesOn: string): string =>
	`leaves ${what} as it is, because it leads to ${receiver} and not to this n8n. If another n8n is there, it goes on ${goesOn}. If this n8n was moved from there, publish the workflow.`;

/** For the log: what cannot be seen with the present credential. */
export const mayStillBe = (what: string): string =>
	`may still be ${what}, which the present credential does not show: the assistant was deleted, or the API token or the Base URL was changed. If they are wrong, correct them, publish the workflow and unpublish it again.`;

/** In characters, of a URL that the service did not keep. */
export interface Lengths {
	written: number;
	shown: number;
}

export const bothLengths = ({ written, shown }: Lengths): string =>
	`${written} characters were written, and it shows ${shown}.`;
