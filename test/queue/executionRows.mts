import { parse } from 'flatted';
import * as z from 'zod';

import { CALL } from '../support/workflows.mts';
import type { Postgres } from './databases.mts';

const row = z.object({
	id: z.string(),
	status: z.string(),
	stoppedAt: z.string().nullable(),
	data: z.string(),
});
const output = z.object({
	main: z.array(z.array(z.object({ json: z.object({ id: z.number() }) }))),
});
const runData = z.object({
	resultData: z.object({
		runData: z.record(z.array(z.object({ data: z.unknown() }))),
		error: z.object({ message: z.string() }).optional(),
	}),
	executionData: z
		.object({ nodeExecutionStack: z.array(z.object({ data: z.unknown() })).optional() })
		.optional(),
});

/** An execution as PostgreSQL holds it. */
export interface Entry {
	id: string;
	status: string;
	/** when it ended, ISO 8601; null before */
	stoppedAt: string | null;
	/** the call that started it; undefined where n8n has not kept that */
	callId: number | undefined;
	error: string | undefined;
}

/**
 * Executions of a workflow, the oldest first. PostgreSQL is asked, which holds the truth for all
 * processes; n8n's REST API gives at most 100 at once.
 */
export async function executionsOf(
	{ query }: Postgres,
	workflowId: string,
	which: 'all' | 'unfinished' = 'all',
): Promise<Entry[]> {
	const condition = which === 'all' ? '' : "AND e.status IN ('new', 'running')";
	const lines = await query(
		`SELECT json_build_object('id', e.id::text, 'status', e.status, 'stoppedAt', e."stoppedAt", 'data', d.data)
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}' ${condition} ORDER BY e.id`,
	);
	return lines.map((line) => {
		const { data, ...columns } = row.parse(JSON.parse(line));
		return { ...columns, ...contentOf(data) };
	});
}

/** The call stands in what the trigger put out, or before that in what is still to be done. */
function contentOf(data: string): Pick<Entry, 'callId' | 'error'> {
	const { resultData, executionData } = runData.parse(parse(data));
	const [ran] = resultData.runData[CALL] ?? [];
	const [toDo] = executionData?.nodeExecutionStack ?? [];
	const call = output.safeParse((ran ?? toDo)?.data).data?.main[0]?.[0];
	return { callId: call?.json.id, error: resultData.error?.message };
}
