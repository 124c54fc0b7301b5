import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as z from 'zod';

import { parseJson } from '../../sandbox/test/support/client.mts';
import { queryExecutions, readExecutionData } from '../support/storedExecutions.mts';

const row = z.object({ id: z.coerce.string(), status: z.string(), data: z.string() });

/** An execution as n8n has stored it. */
export interface StoredExecution {
	id: string;
	status: string;
	/** the call that started it */
	callId: number;
}

/** Reads the executions of a workflow from the database of an n8n that does not run. */
export function readStoredExecutions(userFolder: string, workflowId: string): StoredExecution[] {
	const sql =
		'SELECT e.id, e.status, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?';
	return queryExecutions(userFolder, sql, workflowId).map((found) => {
		const { id, status, data } = row.parse(found);
		const { callId } = readExecutionData(data);
		if (callId === undefined) throw new Error(`Execution ${id} contains no call.`);
		return { id, status, callId };
	});
}

const event = z.object({
	eventName: z.string(),
	payload: z.object({ executionId: z.string() }),
});

/**
 * Reads the ids of the executions that have started, but none of their nodes, from n8n's event log
 * (n8n 2.0 and 2.41 use it to recover the executions that were running when n8n was killed).
 */
export function startedWithoutNode(userFolder: string): Set<string> {
	const started = new Set<string>();
	const log = readFileSync(join(userFolder, '.n8n', 'n8nEventLog.log'), 'utf8');
	for (const line of log.split('\n')) {
		// The last line may be incomplete.
		const { success, data } = event.safeParse(parseJson(line));
		if (!success) continue;
		const { executionId } = data.payload;
		if (data.eventName === 'n8n.workflow.started') started.add(executionId);
		if (data.eventName.startsWith('n8n.node.')) started.delete(executionId);
	}
	return started;
}
