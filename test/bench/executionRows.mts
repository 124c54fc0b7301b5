import * as z from 'zod';

import { readExecution, type Execution } from '../../host/api/execution.mts';
import { queryExecutions } from '../support/storedExecutions.mts';

const counts = z.object({ ended: z.number(), last: z.string().nullable() });

/** Counts the ended executions of a workflow. @returns `lastEnd` in milliseconds since 1970, 0 for none */
export function countEndedExecutions(
	userFolder: string,
	workflowId: string,
): { ended: number; lastEnd: number } {
	const [row] = queryExecutions(
		userFolder,
		'SELECT count(stoppedAt) AS ended, max(stoppedAt) AS last FROM execution_entity WHERE workflowId = ?',
		workflowId,
	);
	const { ended, last } = counts.parse(row);
	return { ended, lastEnd: last === null ? 0 : Date.parse(`${last.replace(' ', 'T')}Z`) };
}

/** Reads the ended executions of a workflow, in no particular order. */
export function readExecutions(userFolder: string, workflowId: string): Execution[] {
	const sql = `SELECT id, workflowId, mode, status, data FROM execution_entity
		JOIN execution_data ON executionId = id WHERE workflowId = ?`;
	return queryExecutions(userFolder, sql, workflowId)
		.map(readExecution)
		.filter((execution) => execution !== undefined);
}
