import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';

/**
 * Whether n8n starts, or becomes the leader. Then it activates every published workflow again, even if
 * the service is down (n8n 2.0, 2.41).
 */
export const isStarting = (context: IHookFunctions | IPollFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());
