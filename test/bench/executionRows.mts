import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import * as z from 'zod';

import { readExecution, type Execution } from '../../host/api/execution.mts';

const count = z.object({ total: z.number(), ended: z.number(), last: z.string().nullable() });

/** The executions of a workflow, counted. */
export interface ExecutionCount {
	total: number;
	ended: number;
	/** when the last one ended, in milliseconds since 1970; 0 where none has */
	lastEnd: number;
}

/**
 * Counts the executions of a workflow where n8n keeps them, so that asking costs n8n nothing
 * (n8n 2.41 with SQLite).
 *
 * @param userFolder n8n's user folder
 */
export function countExecutions(userFolder: string, workflowId: string): ExecutionCount {
	const [row] = query(
		userFolder,
		`SELECT count(*) AS total, count(stoppedAt) AS ended, max(stoppedAt) AS last
			FROM execution_entity WHERE workflowId = ?`,
		workflowId,
	);
	const { total, ended, last } = count.parse(row);
	return { total, ended, lastEnd: last === null ? 0 : Date.parse(`${last.replace(' ', 'T')}Z`) };
}

/** Reads the ended executions of a workflow, in no particular order. */
export function readExecutions(userFolder: string, workflowId: string): Execution[] {
	return query(
		userFolder,
		`SELECT id, workflowId, mode, status, data FROM execution_entity
			JOIN execution_data ON executionId = id WHERE workflowId = ?`,
		workflowId,
	)
		.map(readExecution)
		.filter((execution) => execution !== undefined);
}

function query(userFolder: string, sql: string, workflowId: string): unknown[] {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		return database.prepare(sql).all(workflowId);
	} finally {
		database.close();
	}
}
