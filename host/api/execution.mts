import { parse } from 'flatted';
import * as z from 'zod';

const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

/** n8n 2.0 does not tell the bytes. */
const file = z.object({ fileName: z.string().optional(), bytes: z.number().optional() });
const item = z.object({ json: z.record(z.unknown()), binary: z.record(file).optional() });
const outputs = z.array(z.array(item).nullable());
const errorInfo = z.object({ message: z.string(), description: z.string().nullish() });

const nodeRun = z.object({
	startTime: z.number(),
	executionTime: z.number(),
	executionIndex: z.number().default(0),
	data: z.object({ main: outputs.optional() }).optional(),
	error: errorInfo.optional(),
});

const runResult = z.object({
	resultData: z.object({
		runData: z.record(z.array(nodeRun)).default({}),
		error: errorInfo.optional(),
	}),
});

const executionResponse = z.object({
	id: z.coerce.string(),
	workflowId: z.string(),
	mode: z.string(),
	status: z.string(),
	data: z.string(),
});

/** The JSON of one item. */
export type Item = Record<string, unknown>;

/** The files of one item, by the name of the field. */
export type Files = Record<string, z.infer<typeof file>>;

export interface NodeRun {
	node: string;
	/** when it started, in milliseconds since 1970 by n8n's clock */
	startTime: number;
	/** how long it took, in milliseconds */
	executionTime: number;
	/** items of each output, the first one first */
	outputs: Item[][];
	/** of the items of the first output */
	files: Files[];
	error?: string;
}

export interface Execution {
	id: string;
	workflowId: string;
	/** how it was started: manual, webhook, trigger, … */
	mode: string;
	status: string;
	/** in the order in which the nodes ran */
	runs: NodeRun[];
	error?: string;
}

/**
 * Reads an execution from the response to `GET /rest/executions/:id`, whose `data` is a string in
 * the format of `flatted` (n8n 2.0 and 2.41). @returns undefined before the execution has ended
 */
export function readExecution(response: unknown): Execution | undefined {
	const { id, workflowId, mode, status, data } = executionResponse.parse(response);
	if (!ENDED.has(status)) return undefined;
	const { resultData } = runResult.parse(parse(data));
	const runs = Object.entries(resultData.runData)
		.flatMap(([node, ofNode]) => ofNode.map((run) => ({ node, ...run })))
		.sort((a, b) => a.executionIndex - b.executionIndex || a.startTime - b.startTime)
		.map(({ node, startTime, executionTime, data, error }) => ({
			node,
			startTime,
			executionTime,
			outputs: (data?.main ?? []).map((items) => (items ?? []).map(({ json }) => json)),
			files: (data?.main?.[0] ?? []).map(({ binary }) => binary ?? {}),
			error: errorText(error),
		}));
	return { id, workflowId, mode, status, runs, error: errorText(resultData.error) };
}

/** The items on the first output of a node's last run, none if it did not run. */
export function getItems(execution: Execution, node: string): Item[] {
	return execution.runs.findLast((run) => run.node === node)?.outputs[0] ?? [];
}

function errorText(error?: z.infer<typeof errorInfo>): string | undefined {
	if (error === undefined) return undefined;
	return [error.message, error.description].filter(Boolean).join('\n');
}
