import type { IHookFunctions } from 'n8n-workflow';

import { DescribedError } from '../client/errors';
import { toNodeError } from '../client/nodeError';

/**
 * Says in n8n's log that `delete` failed, and how to repair it. If `delete` threw, no user would see the
 * error: n8n logs it, and shows the workflow as not published (n8n 2.0, 2.41). n8n 2.0 would also leave the
 * other triggers of the workflow registered.
 *
 * @param left where the trigger may be left: `registered at the assistant 7`
 */
export function warnLeftBehind(context: IHookFunctions, left: string, error: unknown): void {
	const node = context.getNode();
	const { id, name } = context.getWorkflow();
	const { message } = error instanceof DescribedError ? error : toNodeError(node, error);
	const reason = message.replace(/\.$/, '');
	context.logger.warn(
		`The trigger '${node.name}' of the workflow '${name}' (ID ${id}) may still be ${left}: ${reason}. Publish the workflow and unpublish it again to repair this. 'Assistant > Get Webhook Status' shows what is registered.`,
	);
}
