import type { Editor } from '../../host/api/editor.mts';
import { itemsOf } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';

const LIMIT_MS = 60_000;

/**
 * Waits until the execution that a call started has ended.
 *
 * @param trigger name of the node
 * @throws Error when the execution failed
 */
export async function untilCallIsHandled(
	editor: Editor,
	workflowId: string,
	trigger: string,
	callId: number,
): Promise<void> {
	const { status, error } = await waitFor(`call ${callId} to be handled`, LIMIT_MS, async () =>
		(await editor.executions(workflowId)).find((execution) =>
			itemsOf(execution, trigger).some(({ id }) => id === callId),
		),
	);
	if (status !== 'success') throw new Error(`The execution of call ${callId} failed: ${error}`);
}
