import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { parse } from 'flatted';
import * as z from 'zod';

import { CALL } from './workflows.mts';

/**
 * Queries the SQLite database of an n8n, so that reading costs n8n nothing, and works when n8n does
 * not run.
 *
 * @param sql with one placeholder, for the id of the workflow
 */
export function queryExecutions(userFolder: string, sql: string, workflowId: string): unknown[] {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		return database.prepare(sql).all(workflowId);
	} finally {
		database.close();
	}
}

const row = z.object({ id: z.coerce.string(), status: z.string() });

/**
 * The status of each execution of a workflow, by id, the oldest first. n8n 2.0 itself leaves some out
 * when it lists more than a page of them: it sorts by start, and goes on after an id.
 */
export function storedStates(userFolder: string, workflowId: string): Map<string, string> {
	const sql = 'SELECT id, status FROM execution_entity WHERE workflowId = ? ORDER BY id';
	const rows = queryExecutions(userFolder, sql, workflowId).map((each) => row.parse(each));
	return new Map(rows.map(({ id, status }) => [id, status]));
}

const nodeData = z.object({ data: z.unknown() });
const storedData = z.object({
	resultData: z.object({
		runData: z.record(z.array(nodeData)),
		error: z.object({ message: z.string() }).optional(),
	}),
	executionData: z.object({ nodeExecutionStack: z.array(nodeData).optional() }).optional(),
});
const callItems = z.object({
	main: z.array(z.array(z.object({ json: z.object({ id: z.number() }) })).nullable()),
});

/**
 * Reads what n8n stores in `execution_data`: the call that started the execution, from the output of
 * the trigger, or from the input of the trigger before it has run.
 */
export function readExecutionData(data: string): {
	callId: number | undefined;
	error: string | undefined;
} {
	const { resultData, executionData } = storedData.parse(parse(data));
	const [output] = resultData.runData[CALL] ?? [];
	const [input] = executionData?.nodeExecutionStack ?? [];
	const items = callItems.safeParse((output ?? input)?.data).data?.main[0];
	return { callId: items?.[0]?.json.id, error: resultData.error?.message };
}
