import * as z from 'zod';

import { readExecutionData } from '../support/storedExecutions.mts';
import type { Postgres } from './databases.mts';

const row = z.object({
	id: z.string(),
	status: z.string(),
	stoppedAt: z.string().nullable(),
	data: z.string(),
});

/** An execution in PostgreSQL. */
export interface ExecutionRow {
	id: string;
	status: string;
	/** when it ended, ISO 8601; null before */
	stoppedAt: string | null;
	/** the call that started it; undefined where n8n has not kept that */
	callId: number | undefined;
	error: string | undefined;
}

/**
 * Reads executions of a workflow from PostgreSQL, the oldest first: all processes share it, and n8n's
 * REST API gives at most 100 at once.
 */
export async function readExecutionRows(
	{ query }: Postgres,
	workflowId: string,
	which: 'all' | 'unfinished',
): Promise<ExecutionRow[]> {
	const condition = which === 'all' ? '' : "AND e.status IN ('new', 'running')";
	const lines = await query(
		`SELECT json_build_object('id', e.id::text, 'status', e.status, 'stoppedAt', e."stoppedAt", 'data', d.data)
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}' ${condition} ORDER BY e.id`,
	);
	return lines.map((line) => {
		const { data, ...columns } = row.parse(JSON.parse(line));
		return { ...columns, ...readExecutionData(data) };
	});
}
