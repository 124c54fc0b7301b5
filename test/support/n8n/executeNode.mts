import { ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type IExecuteData,
	type INodeExecutionData,
	type INodeParameters,
} from 'n8n-workflow';
import { ACTION } from '../../../host/n8n/names.mts';
import { NODE_NAME, type N8n } from './n8n.mts';

interface Execution {
	type?: string;
	parameters: INodeParameters;
	items: IDataObject[];
	/** The execute data of the AI agent that calls the node as a tool. */
	agent?: IExecuteData;
	/** Default: an execution of its own. null: none, as for a tool of n8n's MCP Server Trigger. */
	executionId?: string | null;
}

/**
 * Executes the action node without n8n's engine, which would change the parameters or the execute data.
 *
 * @returns the items of the first output
 */
export async function executeNode(
	n8n: N8n,
	{ type = ACTION, parameters, items, agent, executionId }: Execution,
): Promise<INodeExecutionData[]> {
	const workflow = n8n.workflow({ nodes: [{ name: NODE_NAME, type }], connections: {} });
	const node = workflow.getNode(NODE_NAME);
	if (!node) throw new Error('The workflow has no node');
	// n8n 2.41 would remove the `=` of the expressions in *Resource* and *Operation*.
	node.parameters = parameters;
	const input = items.map((json) => ({ json }));
	const data = { main: [input] };
	const additionalData = n8n.additionalData(workflow, executionId ?? undefined);
	if (executionId === null) additionalData.executionId = undefined;
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		'manual',
		createRunExecutionData(),
		0,
		input,
		data,
		agent ?? { node, data, source: null },
		[],
	);
	return await workflow.expression.withIsolate(async () => {
		const output = await n8n.nodeType(type).execute?.call(context);
		return Array.isArray(output) ? (output[0] ?? []) : [];
	});
}
