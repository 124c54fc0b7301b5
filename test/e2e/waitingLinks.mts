import * as z from 'zod';

import type { Editor } from '../../host/api/editor.mts';
import { waitFor } from '../../host/process/wait.mts';

const LIMIT_MS = 60_000;
const storedExecution = z.object({ data: z.string() });

/**
 * Waits until an execution waits for a person.
 *
 * @param path the part of n8n's address that says how the person answers
 * @returns the links that n8n made for the person, from the data of the execution
 */
export async function waitingLinks(
	editor: Editor,
	workflowId: string,
	executionId: string,
	path: 'form-waiting' | 'webhook-waiting',
): Promise<string[]> {
	await waitFor('the execution to wait', LIMIT_MS, async () =>
		(await editor.executionStates(workflowId)).get(executionId) === 'waiting' ? true : undefined,
	);
	const { data } = await editor.rest.call(storedExecution, 'GET', `/executions/${executionId}`);
	return data.match(new RegExp(String.raw`http[^"\s]+/${path}/[^"\s]+`, 'g')) ?? [];
}
