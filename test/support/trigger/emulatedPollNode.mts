import { jest } from '@jest/globals';
import { PollContext } from 'n8n-core';
import type { IDataObject, INodeParameters, Workflow, WorkflowActivateMode } from 'n8n-workflow';
import { POLL_TRIGGER } from '../../../host/n8n/names.mts';
import type { N8n } from '../n8n/n8n.mts';

const NODE_NAME = 'Finished Calls';

/** A workflow in n8n's memory, and the context of its trigger. */
interface LoadedWorkflow {
	workflow: Workflow;
	context: PollContext;
}

/**
 * Emulates a workflow with a poll trigger. Its `poll` is called through the context of n8n-core, and the static
 * data are stored when n8n's server stores them (n8n 2.0 and 2.41): after the poll of an activation, and
 * with each execution that starts. Other polls change them in memory only.
 */
export class EmulatedPollNode {
	readonly n8n: N8n;
	parameters: INodeParameters;
	/** The items of each execution that was started. */
	readonly executions: IDataObject[][] = [];
	/** The warnings that the node logged. */
	readonly warnings: string[] = [];
	/** Each copy of the workflow has another one. */
	workflowId = 'workflow';
	/** The workflow's static data in n8n's database. */
	database: IDataObject = {};
	/** The workflow as n8n holds it in memory while it is published. */
	#active: LoadedWorkflow | undefined;

	/** @param parameters may be changed before the next publish */
	constructor(n8n: N8n, parameters: INodeParameters = {}) {
		this.n8n = n8n;
		this.parameters = parameters;
	}

	/** The IDs of the calls that started an execution, in the order of the executions. */
	get startedIds(): Array<number | string> {
		return this.executions.flat().map(({ id }) => id as number | string);
	}

	/** The node's static data in n8n's memory. */
	get memory(): IDataObject {
		return plain(this.#running.workflow.staticData);
	}

	/** Publishes the workflow, or publishes its new version. @throws what the poll throws */
	async publish(): Promise<void> {
		await this.#activate(this.#active ? 'update' : 'activate');
	}

	/** n8n stops, or is killed, and starts again with what is in its database. */
	async restart(): Promise<void> {
		await this.#activate('init');
	}

	/**
	 * The next scheduled poll.
	 *
	 * @param isSaved false when n8n dies after it started the execution, and before the static data are
	 * stored: n8n does not wait for that
	 * @throws what the poll throws; n8n stores it as a failed execution
	 */
	async poll(isSaved = true): Promise<void> {
		await this.#emit(this.#running, isSaved);
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

	#load(mode: 'trigger' | 'manual', activation: WorkflowActivateMode) {
		const workflow = this.n8n.workflow({
			id: this.workflowId,
			nodes: [{ name: NODE_NAME, type: POLL_TRIGGER, parameters: this.parameters }],
			connections: {},
			staticData: structuredClone(this.database),
		});
		const node = workflow.getNode(NODE_NAME);
		if (!node) throw new Error('The workflow has no trigger');
		const data = this.n8n.additionalData(workflow);
		return { workflow, context: new PollContext(workflow, node, data, mode, activation) };
	}

	async #activate(activation: WorkflowActivateMode): Promise<void> {
		const loaded = this.#load('trigger', activation);
		await this.#emit(loaded);
		this.database = plain(loaded.workflow.staticData);
		this.#active = loaded;
	}

	async #emit(loaded: LoadedWorkflow, isSaved = true): Promise<void> {
		const items = await this.#call(loaded);
		if (items.length === 0) return;
		if (isSaved) this.database = plain(loaded.workflow.staticData);
		this.executions.push(items.map(({ json }) => json));
	}

	async #call({ workflow, context }: LoadedWorkflow) {
		const type = this.n8n.nodeType(POLL_TRIGGER);
		const log = jest.spyOn(context.logger, 'warn').mockImplementation((message) => {
			this.warnings.push(message);
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
