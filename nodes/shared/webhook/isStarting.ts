import type { IHookFunctions } from 'n8n-workflow';

/** When n8n 2.0 starts, it checks every published workflow again, even if the service is down. */
export const isStarting = (context: IHookFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());
