import type { IDataObject } from 'n8n-workflow';
import { letTimePass } from './letTimePass.mts';
import type { TriggerNode, TriggerSettings } from './triggerNode.mts';

export type N8nVersion = '2.0' | '2.41';

type Activation = 'activate' | 'update' | 'init';

/** How often n8n 2.41 tries to publish before it gives up. */
const TRIES = 5;

/**
 * Emulates when n8n calls the hooks of a trigger, and when it stores the static data, as measured on 2.0.0
 * and 2.41.1: each hook once for each method of the webhook, all with the same workflow object. n8n also
 * waits between its tries, which does not matter here.
 */
export class EmulatedLifecycle {
	readonly node: TriggerNode;
	readonly version: N8nVersion;
	/** The workflow's static data in n8n's database. */
	staticData: IDataObject = {};
	/** The static data of the test that is listening; undefined if none is. */
	testData: IDataObject | undefined;
	/** The published version. n8n calls delete with it, even if the node was edited since. */
	#published: { node: TriggerNode; settings: TriggerSettings } | undefined;

	constructor(node: TriggerNode, version: N8nVersion = '2.41') {
		this.node = node;
		this.version = version;
	}

	get isPublished(): boolean {
		return this.#published !== undefined;
	}

	/** Publishes the workflow, also when it is already published. @throws what the last try threw */
	async publish(): Promise<void> {
		const before = this.#published;
		const isUnchanged = JSON.stringify(before?.settings) === JSON.stringify(this.node.settings);
		if (this.version === '2.41' && before && isUnchanged) return;
		if (before) await this.#remove(before.node);
		const activation = before ? 'update' : 'activate';
		this.#published = { node: this.node.copyWith({}), settings: { ...this.node.settings } };
		try {
			await (this.version === '2.0' ? this.#ensure(activation) : this.#ensureWithTries(activation));
		} catch (error) {
			this.#published = undefined;
			throw error;
		}
	}

	/** Unpublishes the workflow. */
	async unpublish(): Promise<void> {
		const { node } = this.#published ?? this;
		this.#published = undefined;
		await this.#remove(node);
	}

	/** n8n stops and starts again. It forgets a listening test without a hook. */
	async restart(): Promise<void> {
		letTimePass();
		this.testData = undefined;
		if (this.version === '2.0' && this.#published) await this.#ensure('init');
	}

	/** Listens for a test event. @throws what a hook threw, after delete */
	async listen(): Promise<void> {
		const data: IDataObject = {};
		await this.node.withHooks('test', data, async (hook) => {
			try {
				await this.#forEachMethod(async () => {
					if (!(await hook('checkExists'))) await hook('create');
				});
			} catch (error) {
				await this.#forEachMethod(() => hook('delete'));
				throw error;
			}
		});
		this.testData = data;
	}

	/** Ends a test: it got its event, was stopped, or timed out. Each hook gets a copy of the static data. */
	async stopListening(): Promise<void> {
		const data = this.testData;
		this.testData = undefined;
		if (!data) return;
		await this.#forEachMethod(() => this.node.hook('delete', 'test', structuredClone(data)));
	}

	/** n8n 2.0 stores the hooks' changes only if they succeed, and removes with what it has stored. */
	async #ensure(activation: Activation): Promise<void> {
		const data = structuredClone(this.staticData);
		try {
			await this.node.withHooks('production', data, async (hook) => {
				await this.#forEachMethod(async () => {
					if (!(await hook('checkExists', activation))) await hook('create', activation);
				});
			});
			this.staticData = data;
		} catch (error) {
			await this.#remove(this.node);
			throw error;
		}
	}

	/** n8n 2.41 calls `delete` once after each failed try. */
	async #ensureWithTries(activation: Activation): Promise<void> {
		await this.node.withHooks('production', this.staticData, async (hook) => {
			const register = async (triesLeft = TRIES - 1): Promise<void> => {
				try {
					if (!(await hook('checkExists', activation))) await hook('create', activation);
				} catch (error) {
					await hook('delete');
					if (triesLeft === 0) throw error;
					await register(triesLeft - 1);
				}
			};
			await this.#forEachMethod(() => register());
		});
	}

	/** n8n 2.41 removes all methods at the same time. */
	async #remove(node: TriggerNode): Promise<void> {
		await node.withHooks('production', this.staticData, async (hook) => {
			if (this.version === '2.0') await this.#forEachMethod(() => hook('delete'));
			else await Promise.all(this.node.methods.map(() => hook('delete')));
		});
	}

	async #forEachMethod(work: () => Promise<unknown>): Promise<void> {
		for (let count = this.node.methods.length; count > 0; count--) await work();
	}
}
