import {
	ExecutionLifecycleHooks,
	getAdditionalKeys,
	LoadOptionsContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	NodeHelpers,
	Workflow,
	type ExecutionError,
	type ICredentialsHelper,
	type IConnections,
	type IDataObject,
	type IExecuteResponsePromiseData,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IPinData,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { ACTION, CREDENTIAL_TYPE, PACKAGE } from '../../../host/n8n/names.mts';
import type { listSearch } from '../../../nodes/VoiceAssistantCalling/methods/listSearch.ts';
import { authenticate, MANUAL_TRIGGER, manualTrigger, packageNodeTypes } from './package.mts';

/** An n8n that {@link n8nWith} creates. */
export type N8n = ReturnType<typeof n8nWith>;

/** The values of the package's credential. */
interface Credential {
	baseUrl: string;
	apiToken: string;
	assistantListPath?: string;
	defaultCountryCode?: string;
}

/** As n8n hands it to its expressions. */
type CredentialFields = Record<string, string>;

/** A workflow as n8n exports it. Nodes may leave out fields that only the editor needs. */
interface WorkflowDefinition {
	id?: string;
	nodes: NodeDefinition[];
	connections: IConnections;
	staticData?: IDataObject;
	/** Output of nodes that do not run, by node name. */
	pinData?: IPinData;
	active?: boolean;
}

type NodeDefinition = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** One run of one node. */
export interface NodeRun {
	parameters: INodeParameters;
	/** Default: one empty item. */
	items?: IDataObject[];
	/** The items with what they have beside JSON. */
	wholeItems?: INodeExecutionData[];
	/** Settings tab of the node: `onError`, `retryOnFail`, `maxTries`, … */
	settings?: Partial<INode>;
	/** Default: the action node. */
	type?: string;
	/** The type of the pinned node before it. Default: n8n's Manual Trigger. */
	startType?: string;
	/** Its parameters. */
	startParameters?: INodeParameters;
	/** Called with each response that the node wants n8n to send. */
	onResponse?: (response: IExecuteResponsePromiseData) => void;
	/** Who started the workflow. Default: `manual`, a user in the editor. */
	mode?: WorkflowExecuteMode;
}

/** The result of a run of one node. */
interface NodeOutcome {
	/** The items of each output. The second is the error output, empty if the node has none. */
	output: [INodeExecutionData[], INodeExecutionData[]];
	/** The error of the node, if it stopped the workflow. */
	error: ExecutionError | undefined;
	/** Everything that n8n would store about the execution. */
	run: IRun;
}

/** How a picker is opened. */
interface Search {
	filter?: string;
	paginationToken?: string;
	/** The fields of the form around it. */
	parameters?: INodeParameters;
}

/** The type of the action node when an AI agent uses it: n8n appends `Tool`. */
export const ACTION_AS_TOOL = `${ACTION}Tool`;

/** How many executions have begun. n8n gives no id twice. */
let executions = 0;

/** The name of the node that {@link N8n.runNode} runs. */
export const NODE_NAME = 'Voice Assistant Calling';

/**
 * Creates an n8n with one credential: n8n 2.41's engine with the built package (dist/), loaded by n8n's own
 * loader. A test starts a server, usually the sandbox, and gives its address in the credential. n8n keeps
 * its settings in a temporary folder of the jest worker. All test files of a worker use the same n8n instance.
 *
 * @param nodeTypes further node types, by full name
 */
export function n8nWith(credential: Credential, nodeTypes: Record<string, INodeType> = {}) {
	const state = {
		/** The current credential. Change it to rotate the token or to move the service. */
		credential,
		/** How often it was decrypted. n8n 2.41 needs an isolate each time. */
		credentialReads: 0,
	};
	const known: Record<string, INodeType> = { [MANUAL_TRIGGER]: manualTrigger, ...nodeTypes };
	/** @throws when neither the package nor this n8n has the node type */
	const nodeType = (type: string): INodeType => {
		const found = known[type] ?? packageNodeTypes.get(type.replace(/Tool$/, ''));
		if (!found) throw new Error(`There is no node type ${type}`);
		if (type !== ACTION_AS_TOOL) return found;
		const { description } = found;
		return { ...found, description: { ...description, name: `${description.name}Tool` } };
	};
	const types: INodeTypes = {
		getByName: nodeType,
		getByNameAndVersion: (type, version) =>
			NodeHelpers.getVersionedNodeType(nodeType(type), version),
		getKnownTypes: () => ({}),
	};

	/** As n8n's server evaluates the expressions of a credential where there is no item (n8n 2.0, 2.41). */
	async function evaluatedWithoutItem(
		stored: CredentialFields,
		mode: WorkflowExecuteMode,
	): Promise<CredentialFields> {
		if (!Object.values(stored).some((value) => value.startsWith('='))) return stored;
		const node = toNode({ name: '', type: MANUAL_TRIGGER }, 0);
		const { expression } = toWorkflow({ nodes: [node], connections: {} });
		return await expression.withIsolate(() => {
			const none = undefined;
			const value = expression.getComplexParameterValue(node, stored, mode, {}, none, none, stored);
			return Promise.resolve(value as CredentialFields);
		});
	}

	const credentialsHelper = {
		getParentTypes: () => [],
		getDecrypted: async (data, _credentials, _type, mode, executeData, _raw, values) => {
			state.credentialReads += 1;
			const stored: CredentialFields = {
				assistantListPath: '/user/assistants/get',
				...state.credential,
			};
			if (!values) return await evaluatedWithoutItem(stored, mode);
			const { workflow, runExecutionData, runIndex, itemIndex, node } = values;
			// n8n's server evaluates the expressions of a credential like this (n8n 2.0, 2.41).
			return workflow.expression.getParameterValue(
				stored,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				values.connectionInputData,
				mode,
				getAdditionalKeys(data, mode, runExecutionData),
				executeData,
				false,
				stored,
			) as CredentialFields;
		},
		preAuthentication: () => Promise.resolve(undefined),
		authenticate,
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: () => [],
		getOAuth2Options: () => undefined,
	} as Partial<ICredentialsHelper> as ICredentialsHelper;

	function toNode(definition: NodeDefinition, index: number): INode {
		const credentials = { [CREDENTIAL_TYPE]: { id: '1', name: 'Voice Assistant Calling API' } };
		const isPackaged = definition.type.startsWith(`${PACKAGE}.`);
		return {
			id: `node-${index}`,
			typeVersion: 1,
			position: [200 * index, 0],
			parameters: {},
			...definition,
			...(isPackaged ? { credentials } : {}),
		};
	}

	const toWorkflow = ({ id = 'workflow', nodes, connections, ...rest }: WorkflowDefinition) =>
		new Workflow({
			id,
			name: 'Workflow under test',
			nodes: nodes.map(toNode),
			connections,
			active: rest.active ?? false,
			nodeTypes: types,
			staticData: rest.staticData,
			settings: { executionOrder: 'v1' },
		});

	/** The server's data for n8n's contexts, new for every run. */
	function additionalData(
		{ id, nodes, connectionsBySourceNode }: Workflow,
		executionId = String(++executions),
	) {
		const data = {
			executionId,
			currentNodeExecutionIndex: 0,
			credentialsHelper,
			variables: {},
			hooks: new ExecutionLifecycleHooks('manual', executionId, {
				id,
				name: 'Workflow under test',
				active: false,
				activeVersionId: null,
				isArchived: false,
				createdAt: new Date(0),
				updatedAt: new Date(0),
				nodes: Object.values(nodes),
				connections: connectionsBySourceNode,
			}),
			webhookBaseUrl: 'http://localhost:5678/webhook',
			webhookTestBaseUrl: 'http://localhost:5678/webhook-test',
			webhookWaitingBaseUrl: 'http://localhost:5678/webhook-waiting',
			formWaitingBaseUrl: 'http://localhost:5678/form-waiting',
			restApiUrl: 'http://localhost:5678/rest',
			instanceBaseUrl: 'http://localhost:5678/',
		};
		return data as Partial<IWorkflowExecuteAdditionalData> as IWorkflowExecuteAdditionalData;
	}

	function start(
		definition: WorkflowDefinition,
		{ onResponse, mode = 'manual' }: Pick<NodeRun, 'onResponse' | 'mode'> = {},
	) {
		const workflow = toWorkflow(definition);
		const data = additionalData(workflow);
		if (onResponse) data.hooks?.addHandler('sendResponse', onResponse);
		const execution = new WorkflowExecute(data, mode);
		// n8n finds only some start nodes by itself.
		const startNode = workflow.getNode('Start') ?? undefined;
		return execution.run({ workflow, startNode, pinData: definition.pinData });
	}

	/** A workflow with the node (start → node). */
	const workflowOf = (run: NodeRun): WorkflowDefinition => {
		const { parameters, items = [{}], settings, type = ACTION, startType = MANUAL_TRIGGER } = run;
		const { startParameters, wholeItems = items.map((json) => ({ json })) } = run;
		return {
			nodes: [
				{ name: 'Start', type: startType, parameters: startParameters },
				{ name: NODE_NAME, type, parameters, ...settings },
			],
			connections: { Start: { main: [[{ node: NODE_NAME, type: 'main', index: 0 }]] } },
			pinData: { Start: wholeItems },
		};
	};

	/** Runs the node inside a workflow (start → node), without waiting for its end. */
	function startNode(run: NodeRun) {
		const running = start(workflowOf(run), run);
		return {
			ended: running.then(outcome),
			/** As by the button in the editor. */
			cancel: () => running.cancel(),
		};
	}

	/**
	 * Runs the failed node of an execution again, as *Retry* in the list of executions does (n8n 2.41: the
	 * execution is read from the database, without its error and the last run of the node).
	 */
	async function retryNode(run: NodeRun, failed: IRun): Promise<NodeOutcome> {
		const data = structuredClone(failed.data);
		delete data.resultData.error;
		data.resultData.runData[NODE_NAME]?.pop();
		const workflow = toWorkflow(workflowOf(run));
		for (const waiting of data.executionData?.nodeExecutionStack ?? []) {
			waiting.node = workflow.getNode(waiting.node.name) ?? waiting.node;
		}
		const execution = new WorkflowExecute(additionalData(workflow), 'retry', data);
		return outcome(await execution.processRunExecutionData(workflow));
	}

	/** What a picker shows. */
	async function search(
		method: keyof typeof listSearch,
		{ filter, paginationToken, parameters }: Search = {},
	): Promise<INodeListSearchResult> {
		const workflow = toWorkflow({ nodes: [{ name: NODE_NAME, type: ACTION }], connections: {} });
		const node = workflow.getNode(NODE_NAME);
		const picker = nodeType(ACTION).methods?.listSearch?.[method];
		if (!node || !picker) throw new Error(`The node has no picker ${method}`);
		const data = { ...additionalData(workflow), currentNodeParameters: parameters };
		const context = new LoadOptionsContext(workflow, node, data, '');
		return await picker.call(context, filter, paginationToken);
	}

	return Object.assign(state, {
		nodeType,
		workflow: toWorkflow,
		additionalData,
		startNode,
		/** Runs the node inside a workflow (start → node). */
		runNode: async (run: NodeRun) => await startNode(run).ended,
		retryNode,
		/** Runs a whole workflow, such as a file of examples/. `node.credentials` is filled in. */
		runWorkflow: async (definition: WorkflowDefinition) => await start(definition),
		listSearch: search,
	});
}

function outcome(run: IRun): NodeOutcome {
	const task = run.data.resultData.runData[NODE_NAME]?.at(-1);
	const [success, failed] = task?.data?.main ?? [];
	return {
		output: [success ?? [], failed ?? []],
		error: task?.error ?? run.data.resultData.error,
		run,
	};
}
