import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type IN8nHttpFullResponse,
	type INodeExecutionData,
} from 'n8n-workflow';
import { STICKY_NOTE } from '../../host/api/workflow.mts';
import { createSandbox } from '../../sandbox/index.mts';
import { n8nWith, type N8n } from '../support/n8n/n8n.mts';
import { createSandboxClient, type SandboxClient } from '../../sandbox/client.mts';
import { NOW } from '../support/sandbox/seed.mts';
import type { Example } from './example.mts';
import { STUBS, removeDuplicates, wait } from './stubs.mts';

/**
 * The sandbox with the seed of `npm start`, and an n8n with its credential. n8n's engine runs an example's
 * connections, expressions and nodes of this package. Its trigger registers through its hooks, and a
 * webhook of the sandbox starts it. n8n's own nodes are stubs (stubs.mts). `npm run demo` imports the
 * examples into a real n8n and runs them there.
 */
export interface ExampleEnvironment {
	n8n: N8n;
	control: SandboxClient;
	/** What somebody enters in the form of a Wait node; undefined when its time passes. */
	formAnswer: IDataObject | undefined;
	/** The requests to the service that write. */
	written(): Promise<Array<{ path: unknown; body: unknown }>>;
	reset(): Promise<void>;
	close(): Promise<void>;
}

/** @param now the start time of the sandbox's clock */
export async function startExampleEnvironment(now = NOW): Promise<ExampleEnvironment> {
	const sandbox = await createSandbox({ port: 0, clock: { mode: 'manual', now } });
	const seen = new Set<string>();
	const nodeTypes = {
		...STUBS,
		'n8n-nodes-base.removeDuplicates': removeDuplicates(seen),
		'n8n-nodes-base.wait': wait(() => environment.formAnswer),
	};
	const control = createSandboxClient(sandbox.control);
	const environment: ExampleEnvironment = {
		formAnswer: undefined,
		n8n: n8nWith({ baseUrl: sandbox.url, apiToken: sandbox.token }, nodeTypes),
		control,
		written: async () => {
			const requests = await control.requests();
			return requests
				.filter(({ method }) => method !== 'GET')
				.map(({ path, body }) => ({ path, body }));
		},
		reset: async () => {
			seen.clear();
			environment.formAnswer = undefined;
			await sandbox.reset();
		},
		close: () => sandbox.close(),
	};
	return environment;
}

/**
 * Runs an example from one of its nodes to its end, as n8n's server does when that node is triggered.
 *
 * @param respond takes what a node answers to the request that started the run
 * @returns the items of each node's first output, by the node's name; nodes that did not run are missing
 * @throws what stopped the workflow
 */
export async function runExample(
	n8n: N8n,
	{ nodes, connections }: Example,
	start: string,
	items: INodeExecutionData[] = [{ json: {} }],
	respond: (answer: IN8nHttpFullResponse) => void = () => undefined,
): Promise<Record<string, INodeExecutionData[]>> {
	const workflow = n8n.workflow({
		nodes: nodes.filter(({ type }) => type !== STICKY_NOTE),
		connections,
	});
	const node = workflow.getNode(start);
	if (!node) throw new Error(`The example has no node ${start}`);
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
	});
	const additionalData = n8n.additionalData(workflow);
	additionalData.hooks?.addHandler('sendResponse', (answer) => {
		respond(answer as IN8nHttpFullResponse);
	});
	const execution = new WorkflowExecute(additionalData, 'trigger', data);
	const { resultData } = (await execution.processRunExecutionData(workflow)).data;
	if (resultData.error) throw resultData.error;
	return Object.fromEntries(
		Object.entries(resultData.runData).map(([name, tasks]) => [
			name,
			tasks.at(-1)?.data?.main?.[0] ?? [],
		]),
	);
}
