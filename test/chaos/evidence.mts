import { parse } from 'flatted';
import * as z from 'zod';

import type { SandboxClient } from '../../sandbox/client.mts';
import { queryExecutions } from '../support/storedExecutions.mts';
import { CALL } from '../support/workflows.mts';
import { POLL } from './workflows.mts';

const PAGE = 500;
const page = z.object({
	data: z.array(z.object({ id: z.number() }).passthrough()),
	more: z.boolean(),
});

/** All records of a kind that the service has. */
export async function records(control: SandboxClient, kind: string) {
	const all: z.infer<typeof page>['data'] = [];
	for (let before = ''; ;) {
		const { body } = await control.request('GET', `/records/${kind}?limit=${PAGE}${before}`);
		const { data, more } = page.parse(body);
		all.push(...data);
		if (!more) return all;
		before = `&before=${data.at(-1)?.id}`;
	}
}

const row = z.object({ id: z.coerce.string(), status: z.string(), data: z.string() });
const items = z.array(z.object({ json: z.record(z.unknown()) }));
const output = z.object({ main: z.array(items.nullish()).optional() }).nullish();
const stored = z.object({
	resultData: z.object({ runData: z.record(z.array(z.object({ data: output }))).default({}) }),
	executionData: z
		.object({
			nodeExecutionStack: z
				.array(z.object({ node: z.object({ name: z.string() }), data: output }))
				.default([]),
		})
		.nullish(),
});

/** An execution as n8n has stored it, also one that was killed. */
export interface Stored {
	id: string;
	status: string;
	/** the JSON of the items at an output of a node's last run */
	at: (node: string, output?: number) => Array<Record<string, unknown>>;
	/** the node with which it began, and the JSON of the items that it got */
	begin: { node: string; items: Array<Record<string, unknown>> };
}

/** Reads the executions of a workflow from n8n's database. */
export function storedExecutions(userFolder: string, workflowId: string): Stored[] {
	const sql =
		'SELECT e.id, e.status, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ? ORDER BY e.id';
	return queryExecutions(userFolder, sql, workflowId).map((found) => {
		const { id, status, data } = row.parse(found);
		const { resultData, executionData } = stored.parse(parse(data));
		const at = (node: string, index = 0) =>
			(resultData.runData[node]?.at(-1)?.data?.main?.[index] ?? []).map(({ json }) => json);
		// Before the first node has run, its input is on the stack.
		const first = executionData?.nodeExecutionStack[0];
		const ran = [CALL, POLL].find((node) => resultData.runData[node] !== undefined);
		const waiting = (first?.data?.main?.[0] ?? []).map(({ json }) => json);
		const begin = ran
			? { node: ran, items: at(ran) }
			: { node: first?.node.name ?? '', items: waiting };
		return { id, status, at, begin };
	});
}
