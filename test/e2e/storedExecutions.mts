import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'flatted';
import * as z from 'zod';

import { CALL } from '../support/workflows.mts';

const row = z.object({ id: z.number(), status: z.string(), data: z.string() });

/** An execution as n8n has stored it. */
export interface StoredExecution {
	id: string;
	status: string;
	/** the call that started it */
	call: number;
}

/** Reads the executions of a workflow from the database of an n8n that does not run. */
export function storedExecutions(userFolder: string, workflowId: string): StoredExecution[] {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
	try {
		return database
			.prepare(
				'SELECT e.id, e.status, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?',
			)
			.all(workflowId)
			.map((found) => {
				const { id, status, data } = row.parse(found);
				return { id: String(id), status, call: callIn(data) };
			});
	} finally {
		database.close();
	}
}

const items = z.array(z.array(z.object({ json: z.record(z.unknown()) })).nullable());
const begun = z.object({
	resultData: z.object({
		runData: z.record(z.array(z.object({ data: z.object({ main: items }).optional() }))),
	}),
	executionData: z.object({
		nodeExecutionStack: z.array(z.object({ data: z.object({ main: items }) })),
	}),
});

/** The call that the trigger gave to an execution, whether it has run already or is about to. */
function callIn(data: string): number {
	const { resultData, executionData } = begun.parse(parse(data));
	const ran = resultData.runData[CALL]?.[0]?.data?.main;
	const id = (ran ?? executionData.nodeExecutionStack[0]?.data.main)?.[0]?.[0]?.json.id;
	if (typeof id !== 'number') throw new Error('An execution holds no call.');
	return id;
}

const event = z.object({
	eventName: z.string(),
	payload: z.object({ executionId: z.string() }),
});

/**
 * Reads from n8n's log of events which executions have started, but none of their nodes (n8n 2.0 and
 * 2.41 decide by this log what to do with executions that were running when they were killed).
 *
 * @returns their ids
 */
export function beforeFirstNode(userFolder: string): Set<string> {
	const started = new Set<string>();
	const log = readFileSync(join(userFolder, '.n8n', 'n8nEventLog.log'), 'utf8');
	for (const line of log.split('\n')) {
		const { success, data } = event.safeParse(parsed(line));
		if (!success) continue;
		const { executionId } = data.payload;
		if (data.eventName === 'n8n.workflow.started') started.add(executionId);
		if (data.eventName.startsWith('n8n.node.')) started.delete(executionId);
	}
	return started;
}

/** The last line may be half written. */
function parsed(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
