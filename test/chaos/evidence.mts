import { parse } from 'flatted';
import * as z from 'zod';

import type { SandboxClient } from '../../sandbox/client.mts';
import { queryExecutions } from '../support/storedExecutions.mts';

const page = z.object({
	data: z.array(z.object({ id: z.number(), phone_number: z.string() })),
	more: z.boolean(),
});

/** The phone numbers of all leads that the service has. */
export async function leadNumbers(control: SandboxClient, before = ''): Promise<string[]> {
	const { body } = await control.request('GET', `/records/leads?limit=500${before}`);
	const { data, more } = page.parse(body);
	const rest = more ? await leadNumbers(control, `&before=${data.at(-1)?.id}`) : [];
	return [...data.map(({ phone_number }) => phone_number), ...rest];
}

const row = z.object({ data: z.string() });
const output = z
	.object({
		main: z.array(z.array(z.object({ json: z.record(z.unknown()) })).nullish()).optional(),
	})
	.nullish();
const waiting = z.array(z.object({ node: z.object({ name: z.string() }), data: output }));
const stored = z.object({
	resultData: z.object({ runData: z.record(z.array(z.object({ data: output }))).default({}) }),
	executionData: z.object({ nodeExecutionStack: waiting.default([]) }).nullish(),
});

/** Whether n8n knows only that a node has ended: it was killed in the execution, and has no items of it. */
const isRecovered = ({ data }: { data?: z.infer<typeof output> }): boolean =>
	data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem === true;

/** An execution as n8n has stored it, also one that was killed. */
interface Stored {
	/** The items of a node's last run, at an output. Before its run: those of the first node, which it has then. */
	at: (node: string, output?: number) => Array<Record<string, unknown>>;
}

/** Reads the executions of a workflow from n8n's database. */
export function storedExecutions(userFolder: string, workflowId: string): Stored[] {
	const sql =
		'SELECT d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?';
	return queryExecutions(userFolder, sql, workflowId).map((found) => {
		const { data } = row.parse(found);
		const { resultData, executionData } = stored.parse(parse(data));
		const [first] = executionData?.nodeExecutionStack ?? [];
		const at = (node: string, index = 0) => {
			const own = first?.node.name === node ? first : undefined;
			const run = resultData.runData[node]?.findLast((each) => !isRecovered(each)) ?? own;
			return (run?.data?.main?.[index] ?? []).map(({ json }) => json);
		};
		return { at };
	});
}
