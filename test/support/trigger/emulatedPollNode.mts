import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { jest } from '@jest/globals';
import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { POLL_TRIGGER } from '../../../host/n8n/names.mts';
import { withoutOrigin } from '../logLine.mts';
import type { N8n } from '../n8n/n8n.mts';

/** How long n8n 2.41 waits for a poll of its durable scheduler: 80 % of `N8N_SCHEDULER_POLL_TIMEOUT`. */
export const TICK_BUDGET_MS = 36_000;

/** `N8N_SCHEDULER_POLL_TIMEOUT`: n8n 2.41 drops what a poll gives later. */
const TICK_TIMEOUT_MS = 45_000;

/** The schedulers of n8n. All but the first one are settings of n8n 2.41. */
export const SCHEDULERS = ['in memory', 'durable', 'durable, with durable cursors'] as const;

export type Scheduler = (typeof SCHEDULERS)[number];

/** A workflow in n8n's memory, and the context of its trigger. */
interface LoadedWorkflow {
	workflow: Workflow;
	context: PollContext;
	/** What the trigger has as static data, if these are a durable cursor. */
	cursor: IDataObject | undefined;
}

/**
 * Emulates a workflow with a poll trigger. Its `poll` is called through the context of n8n-core, and the static
 * data are stored when n8n's server stores them (n8n 2.0 and 2.41): after the poll of an activation, and
 * with each execution that starts. Other polls change them in memory only.
 *
 * With the durable scheduler, each scheduled poll has a new workflow from the database and a new context, with
 * the activation mode of an edited workflow, and n8n's start polls nothing. With durable cursors, these take
 * the place of the node's static data. They are stored with an execution that starts, and after a scheduled
 * poll without one, but not after a publish without one (n8n 2.41: poll-trigger-task-handler).
 */
export class EmulatedPollNode {
	readonly n8n: N8n;
	readonly scheduler: Scheduler;
	parameters: INodeParameters;
	/** The items of each execution that was started. */
	readonly executions: IDataObject[][] = [];
	/** The warnings that the node logged. */
	readonly warnings: string[] = [];
	/** Each workflow, and each copy of one, has another one. */
	workflowId: string = randomUUID();
	nodeName = 'Finished Calls';
	/** The workflow's static data in n8n's database. */
	database: IDataObject = {};
	/** The durable cursor in n8n's database. */
	durableCursor: IDataObject | undefined;
	/** Whether n8n starts an execution for each poll, as n8n 2.0 does (n8n.md#discarded-polls). */
	startsSuperseded = false;
	/** The workflow as n8n holds it in memory while it is published. */
	#active: LoadedWorkflow | undefined;
	/** The one whose polls start executions. */
	#current: LoadedWorkflow | undefined;

	/** @param parameters may be changed before the next publish */
	constructor(n8n: N8n, parameters: INodeParameters = {}, scheduler: Scheduler = 'in memory') {
		this.n8n = n8n;
		this.parameters = parameters;
		this.scheduler = scheduler;
	}

	/** The IDs of the calls that started an execution, in the order of the executions. */
	get startedIds(): Array<number | string> {
		return this.executions.flat().map(({ id }) => id as number | string);
	}

	/** The node's static data in n8n's memory. */
	get memory(): IDataObject {
		return plain(this.#running.workflow.staticData);
	}

	/** Unpublishes the workflow. */
	unpublish(): void {
		this.#active = undefined;
		this.#current = undefined;
	}

	/** Publishes the workflow, or publishes its new version. @throws what the poll throws */
	async publish(): Promise<void> {
		await this.beginPublish()();
	}

	/**
	 * Begins to publish the workflow.
	 *
	 * @returns an attempt. All attempts of n8n 2.41 have the same workflow object, and each another context
	 */
	beginPublish(): () => Promise<void> {
		const workflow = this.#open();
		const activation = this.#active ? 'update' : 'activate';
		return async () => await this.#activate(activation, workflow);
	}

	/** n8n stops, or is killed, and starts again with what is in its database. */
	async restart(): Promise<void> {
		if (this.scheduler === 'in memory') await this.#activate('init');
	}

	/**
	 * The next scheduled poll.
	 *
	 * @param isSaved false when n8n dies after it started the execution, and before the static data are
	 * stored: n8n does not wait for that
	 * @throws what the poll throws; n8n stores it as a failed execution
	 */
	async poll(isSaved = true): Promise<void> {
		const isInMemory = this.scheduler === 'in memory';
		const loaded = isInMemory
			? this.#running
			: this.#load('trigger', 'update', { budgetMs: TICK_BUDGET_MS });
		const startedAt = Date.now();
		const cursorBefore = structuredClone(loaded.cursor);
		const items = await this.#call(loaded);
		if (!isInMemory && Date.now() - startedAt > TICK_TIMEOUT_MS) return;
		const isSuperseded = isInMemory ? this.#current !== loaded : !this.#active;
		if (isSuperseded && !this.startsSuperseded) return;
		this.#emit(loaded, items, isSaved);
		if (items.length > 0 || isDeepStrictEqual(loaded.cursor, cursorBefore)) return;
		this.durableCursor = loaded.cursor && plain(loaded.cursor);
	}

	/** A click on "Fetch Test Event". @returns the items that n8n shows */
	async fetchTestEvent(): Promise<IDataObject[]> {
		const items = await this.#call(this.#load('manual', 'manual'));
		return items.map(({ json }) => json);
	}

	get #running() {
		if (!this.#active) throw new Error('The workflow is not published');
		return this.#active;
	}

	#open(): Workflow {
		return this.n8n.workflow({
			id: this.workflowId,
			nodes: [{ name: this.nodeName, type: POLL_TRIGGER, parameters: this.parameters }],
			connections: {},
			staticData: structuredClone(this.database),
		});
	}

	#load(
		mode: 'trigger' | 'manual',
		activation: WorkflowActivateMode,
		{ workflow = this.#open(), budgetMs }: { workflow?: Workflow; budgetMs?: number } = {},
	): LoadedWorkflow {
		const node = workflow.getNode(this.nodeName);
		if (!node) throw new Error('The workflow has no trigger');
		const data = this.n8n.additionalData(workflow);
		const rest = [undefined, undefined, undefined, undefined] as const;
		const budget = budgetMs === undefined ? undefined : () => budgetMs;
		if (this.scheduler !== 'durable, with durable cursors' || mode === 'manual') {
			const args = [workflow, node, data, mode, activation, ...rest, undefined, budget] as const;
			return { workflow, context: new PollContext(...args), cursor: undefined };
		}
		this.durableCursor ??= plain(workflow.getStaticData('node', node));
		const cursor = structuredClone(this.durableCursor);
		const args = [workflow, node, data, mode, activation, ...rest, () => cursor, budget] as const;
		return { workflow, context: new PollContext(...args), cursor };
	}

	async #activate(activation: WorkflowActivateMode, workflow?: Workflow): Promise<void> {
		const loaded = this.#load('trigger', activation, { workflow });
		this.#current = undefined;
		this.#emit(loaded, await this.#call(loaded));
		this.database = plain(loaded.workflow.staticData);
		this.#active = loaded;
		this.#current = loaded;
	}

	#emit(loaded: LoadedWorkflow, items: INodeExecutionData[], isSaved = true): void {
		if (items.length === 0) return;
		if (isSaved) this.database = plain(loaded.workflow.staticData);
		// It is stored in the same transaction as the execution.
		if (loaded.cursor) this.durableCursor = plain(loaded.cursor);
		this.executions.push(items.map(({ json }) => json));
	}

	async #call({ workflow, context }: LoadedWorkflow) {
		const type = this.n8n.nodeType(POLL_TRIGGER);
		const log = jest.spyOn(context.logger, 'warn').mockImplementation((message) => {
			this.warnings.push(withoutOrigin(message));
		});
		try {
			const output = await workflow.expression.withIsolate(async () => {
				if (!type.poll) throw new Error('The trigger has no poll function');
				return await type.poll.call(context);
			});
			return output?.[0] ?? [];
		} finally {
			log.mockRestore();
		}
	}
}

/** The data as JSON holds them. */
const plain = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;

/** The value of *Assistants*. */
export const onAssistants = (...ids: Array<number | string>): INodeParameters => ({
	assistants: { values: ids.map((value) => ({ assistantId: { __rl: true, mode: 'id', value } })) },
});
