import { HookContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INodeParameters,
	IWebhookData,
	IWebhookDescription,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	Logger,
	WebhookType,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { EventName } from './testEnvironment.mts';
import { ACTION, TRIGGER } from '../../../host/n8n/names.mts';
import { withoutOrigin } from '../logLine.mts';
import type { N8n } from '../n8n/n8n.mts';

/** One installation of n8n. */
export interface Instance {
	/** The instance id, which n8n derives from its encryption key. */
	id: string;
	n8n: N8n;
	/** WEBHOOK_URL, without a slash at the end. */
	webhookUrl: string;
	/** N8N_ENDPOINT_WEBHOOK. The test path is n8n's default. */
	webhookPath?: string;
	/** The warnings in its log. */
	warnings: string[];
	/** What else is in its log, if a test looks at it. */
	infos?: string[];
}

/** The data of a trigger node that n8n's hooks can read. */
export interface TriggerSettings {
	/** The type of the node. */
	type: string;
	workflowId: string;
	nodeId: string;
	nodeName: string;
	/** Undefined after an import on the command line (n8n 2.0, 2.41). */
	webhookId: string | undefined;
	parameters: INodeParameters;
	/** Of the node behind the trigger. */
	nextParameters?: INodeParameters;
}

/** The webhook of a test event, or of the published workflow. */
export type WebhookKind = 'test' | 'production';

type HookName = 'checkExists' | 'create' | 'delete';

/** Calls one of several hooks that get the same workflow object. */
export type CallHook = (name: HookName, activation?: WorkflowActivateMode) => Promise<boolean>;

type Modes = [WorkflowExecuteMode, WorkflowActivateMode];

type RequestAndResponse = Required<
	Pick<IWorkflowExecuteAdditionalData, 'httpRequest' | 'httpResponse'>
>;

/** n8n has one instance id and one log per process. Here a process has several instances. */
function useInstance<Context extends HookContext | WebhookContext>(
	context: Context,
	{ id, warnings, infos = [] }: Instance,
): Context {
	const ignore = () => undefined;
	const warn = (message: string) => void warnings.push(withoutOrigin(message));
	const info = (message: string) => void infos.push(withoutOrigin(message));
	const logger: Partial<Logger> = { debug: ignore, info, warn, error: ignore };
	Object.defineProperty(context, 'logger', { value: logger });
	context.getInstanceId = () => id;
	return context;
}

/**
 * A trigger node in a workflow. Its hooks and its webhook are called through the contexts of n8n-core, as
 * n8n's server calls them (n8n 2.0 and 2.41).
 */
export class TriggerNode {
	readonly instance: Instance;
	settings: TriggerSettings;

	constructor(instance: Instance, settings: Partial<TriggerSettings> = {}) {
		this.instance = instance;
		this.settings = {
			type: TRIGGER,
			workflowId: 'workflow-1',
			nodeId: '3c1d7a34-0000-4000-8000-000000000001',
			nodeName: 'Call Completed',
			webhookId: '9f2b6c10-0000-4000-8000-000000000001',
			parameters: onAssistant(1),
			...settings,
		};
	}

	/** A copy of the node with other settings, or in another n8n. */
	copyWith(settings: Partial<TriggerSettings>, instance: Instance = this.instance): TriggerNode {
		return new TriggerNode(instance, { ...this.settings, ...settings });
	}

	/** The address of one of its webhooks, without the token. Without a name, that of its event. */
	async url(kind: WebhookKind, name: WebhookType = this.#usedWebhook): Promise<string> {
		const opened = openWorkflow(this, kind, {});
		const context = this.#hookContext(['internal', 'update'], opened, this.webhook(name));
		return await opened.workflow.expression.withIsolate(() =>
			Promise.resolve(context.getNodeWebhookUrl(name) ?? ''),
		);
	}

	/**
	 * Calls one hook, of all webhooks of the node.
	 *
	 * @param staticData of the workflow; the hook's changes are written into it
	 */
	async hook(
		name: HookName,
		kind: WebhookKind = 'production',
		staticData: IDataObject = {},
		activation?: WorkflowActivateMode,
	): Promise<boolean> {
		return await this.withHooks(kind, staticData, (call) => call(name, activation));
	}

	/**
	 * Calls several hooks as n8n does within one publish or unpublish: all of them get the same workflow
	 * object (n8n 2.0, 2.41).
	 *
	 * @param staticData of the workflow; the hooks' changes are written into it
	 */
	async withHooks<Result>(
		kind: WebhookKind,
		staticData: IDataObject,
		work: (call: CallHook) => Promise<Result>,
	): Promise<Result> {
		const opened = openWorkflow(this, kind, staticData);
		return await opened.workflow.expression.withIsolate(
			async () =>
				await work(async (name, activation = 'activate') => {
					let result = true;
					for (const webhook of this.webhooks) {
						// n8n calls no hook of a webhook without hooks (n8n 2.0, 2.41).
						const hook = this.#type.webhookMethods?.[webhook.name]?.[name];
						if (!hook && webhook.name !== 'default') continue;
						if (!hook) throw new Error(`The trigger has no hook ${name}`);
						const modes = getModes(name, kind, activation);
						try {
							result = (await hook.call(this.#hookContext(modes, opened, webhook))) && result;
						} finally {
							storeStaticData(opened.workflow, staticData);
						}
					}
					return result;
				}),
		);
	}

	/** Calls the webhook function with a request of express. */
	async receive(
		kind: WebhookKind,
		staticData: IDataObject,
		requestAndResponse: RequestAndResponse,
		webhook: IWebhookDescription,
	): Promise<IWebhookResponseData> {
		const type = this.#type;
		const opened = openWorkflow(this, kind, staticData);
		const { workflow, node, additionalData } = opened;
		const webhookData = { ...opened.webhookData, webhookDescription: webhook };
		const data = { ...additionalData, ...requestAndResponse };
		const mode = kind === 'test' ? 'manual' : 'webhook';
		const context = useInstance(
			new WebhookContext(workflow, node, data, mode, webhookData, [], null),
			this.instance,
		);
		return await workflow.expression.withIsolate(async () => {
			if (!type.webhook) throw new Error('The trigger has no webhook function');
			return await type.webhook.call(context);
		});
	}

	/** The methods of its webhook. n8n calls each hook once for each of them (n8n 2.0, 2.41). */
	get methods(): string[] {
		return this.webhook(this.#usedWebhook).httpMethod.split(',');
	}

	/** The body of n8n's own response to a webhook request; empty for a workflow that gives no answer. */
	responseBody({ responseMode, responseData }: IWebhookDescription): string {
		if (responseMode === 'responseNode') return '';
		return responseMode === 'onReceived' && responseData === 'noData' ? '' : 'firstEntryJson';
	}

	get #type() {
		return this.instance.n8n.nodeType(this.settings.type);
	}

	/** What its type says about its webhooks. n8n calls the hooks of all of them (n8n 2.0, 2.41). */
	get webhooks(): IWebhookDescription[] {
		return this.#type.description.webhooks ?? [];
	}

	webhook(name: WebhookType): IWebhookDescription {
		const description = this.webhooks.find((each) => each.name === name);
		if (!description) throw new Error(`The trigger describes no webhook ${name}`);
		return description;
	}

	/** The webhook that the trigger registers. */
	get #usedWebhook(): WebhookType {
		return this.settings.parameters.triggerOn === 'inboundCallStarting' ? 'setup' : 'default';
	}

	#hookContext(
		[mode, activation]: Modes,
		{ workflow, node, additionalData, webhookData }: ReturnType<typeof openWorkflow>,
		webhookDescription: IWebhookDescription,
	): HookContext {
		const data = { ...webhookData, webhookDescription };
		return useInstance(
			new HookContext(workflow, node, additionalData, mode, activation, data),
			this.instance,
		);
	}
}

/** The node behind the trigger. */
const NEXT = { id: 'next', name: 'Next', type: ACTION, typeVersion: 1 };

/** The workflow of a trigger, and what n8n passes to its hooks and its webhook function. */
function openWorkflow(
	{ instance, settings, webhooks: [webhookDescription] }: TriggerNode,
	kind: WebhookKind,
	staticData: IDataObject,
) {
	const {
		type,
		workflowId,
		nodeId,
		nodeName,
		webhookId,
		parameters,
		nextParameters = {},
	} = settings;
	const { n8n, webhookUrl, webhookPath = 'webhook' } = instance;
	const typeVersion = n8n.nodeType(type).description.defaultVersion;
	const workflow = n8n.workflow({
		id: workflowId,
		nodes: [
			{ id: nodeId, name: nodeName, type, typeVersion, webhookId, parameters },
			{ ...NEXT, parameters: nextParameters },
		],
		connections: { [nodeName]: { main: [[{ node: NEXT.name, type: 'main', index: 0 }]] } },
		staticData: structuredClone(staticData),
	});
	const node = workflow.getNode(nodeName);
	if (!node || !webhookDescription) throw new Error(`The workflow has no webhook ${nodeName}`);
	const additionalData = {
		...n8n.additionalData(workflow),
		webhookBaseUrl: `${webhookUrl}/${webhookPath}`,
		webhookTestBaseUrl: `${webhookUrl}/webhook-test`,
	};
	const webhookData: IWebhookData = {
		httpMethod: 'POST',
		node: nodeName,
		path: `${webhookId ?? ''}/${workflowId}/${nodeId}`,
		webhookDescription,
		webhookId,
		workflowId,
		workflowExecuteAdditionalData: additionalData,
		isTest: kind === 'test',
	};
	return { workflow, node, additionalData, webhookData };
}

/** All events of the trigger, each in one of the versions of n8n. */
export const EVENTS_IN_N8N = [
	{ event: 'callCompleted', version: '2.41' },
	{ event: 'inboundCallCompleted', version: '2.41' },
	{ event: 'inboundCallStarting', version: '2.0' },
] as const;

/** The parameters of a trigger on an assistant. */
export const onAssistant = (
	id: number | string,
	triggerOn: EventName = 'callCompleted',
	others: INodeParameters = {},
): INodeParameters => ({
	triggerOn,
	assistantId: { __rl: true, mode: 'id', value: id },
	...others,
});

/** The modes in which n8n 2.0 and 2.41 call the hooks. */
function getModes(name: HookName, kind: WebhookKind, activation: WorkflowActivateMode): Modes {
	if (name === 'delete') return ['internal', 'update'];
	return kind === 'test' ? ['manual', 'manual'] : ['trigger', activation];
}

/** Copies the workflow's static data into the object that represents the database. */
function storeStaticData(workflow: Workflow, staticData: IDataObject): void {
	const changed = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	for (const key of Object.keys(staticData)) Reflect.deleteProperty(staticData, key);
	Object.assign(staticData, changed);
}
