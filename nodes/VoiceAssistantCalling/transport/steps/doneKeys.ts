import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../../../shared/client/errors';
import type { WaitFor } from './step';

/**
 * How many keys of a node n8n keeps: the newest. It stores their hashes only, and no times, and rewrites the whole
 * list with each call (n8n.md#store-of-keys). With more, 1,000 items would take longer than 12 s, and n8n would answer
 * nobody for more than 0.6 s (docs/performance.md).
 */
export const MAX_KEYS = 10_000;

const storing = (maxEntries: number): ICheckProcessedOptions => ({ mode: 'entries', maxEntries });

const notStored = () =>
	new InvalidInput({
		message: 'n8n could not store that this item is being sent',
		nextStep:
			"Nothing was sent for this item. Check that the workflow is saved, and look for the cause in n8n's log.",
	});

/** The functions of n8n's store. */
type Store = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'getProcessedDataCount' | 'removeProcessed'
>;

/** A key that is to be stored. */
interface Waiting {
	key: string;
	/** Called with whether it was not there before. */
	resolve: (isNew: boolean) => void;
	reject: (error: unknown) => void;
}

/** What is being carried out. */
interface UnderWay {
	/** Whether n8n has stored the key. */
	isStored: boolean;
	/** Whether it may be done, when it has ended. */
	isDone: Promise<boolean>;
	settle: (isDone: boolean) => void;
}

function underWay(): UnderWay {
	let settle: UnderWay['settle'] = () => undefined;
	const isDone = new Promise<boolean>((resolve) => {
		settle = resolve;
	});
	return { isStored: false, isDone, settle };
}

/** By workflow and node. */
const nodes = new Map<string, DoneKeys>();

/**
 * The keys under which a node has carried something out, in n8n's own store, which *Remove Duplicates* uses too
 * (n8n.md#store-of-keys). n8n reads and writes the whole list of a node without a lock, so all runs of the node in this
 * process take turns.
 */
export class DoneKeys {
	/** By key. */
	private readonly underWay = new Map<string, UnderWay>();

	private waiting: Waiting[] = [];

	private lastChange: Promise<unknown> = Promise.resolve();

	/** How many items the runs under way have. Until they end, their keys drive out no other. */
	private expected = 0;

	/** The keys of the node that a run belongs to. */
	static of(context: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>): DoneKeys {
		const name = `${context.getWorkflow().id} ${context.getNode().id}`;
		const keys = nodes.get(name) ?? new DoneKeys();
		nodes.set(name, keys);
		return keys;
	}

	/** A run begins. @param count of its items */
	runBegins(count: number): void {
		this.expected += count;
	}

	/**
	 * A run ends: stores its keys once more, because another process may have overwritten them since, and lets n8n
	 * forget the oldest above the limit when no other run is under way.
	 *
	 * @param count the same as at its beginning
	 * @param keys that stay
	 * @returns how many keys n8n has now
	 * @throws what n8n's store throws
	 */
	async runEnds(store: Store, count: number, keys: string[]): Promise<number> {
		let stored = 0;
		this.expected -= count;
		await this.inTurn(async () => {
			await store.checkProcessedAndRecord(keys, 'node', storing(this.most));
			stored = await store.getProcessedDataCount('node', storing(this.most));
		});
		return stored;
	}

	/** How many keys n8n may keep now. */
	private get most(): number {
		return MAX_KEYS + this.expected;
	}

	/**
	 * Begins to carry something out, unless it was carried out under the same key. The key is stored first, so that a
	 * process that ends in the middle does not do it twice. {@link end} must follow when this gives true.
	 *
	 * @param isOptional whether it may be carried out although n8n cannot store the key
	 * @returns whether it is to be carried out
	 * @throws {InvalidInput} when n8n cannot store the key
	 */
	async begin(store: Store, key: string, isOptional: boolean, waitFor: WaitFor): Promise<boolean> {
		for (let other = this.underWay.get(key); other; other = this.underWay.get(key)) {
			if (await waitFor(other.isDone)) return false;
		}
		const begun = underWay();
		this.underWay.set(key, begun);
		const adding = this.add(store, key).then((isNew) => {
			begun.isStored = isNew;
			if (!isNew) this.settle(key, true);
			return isNew;
		});
		return await adding.catch((error: unknown) => {
			if (isOptional) return true;
			this.settle(key, false);
			throw error;
		});
	}

	/** Takes the key back when nothing was done. @param isDone whether it was carried out, or may have been */
	async end(store: Store, key: string, isDone: boolean): Promise<void> {
		// A store that fails must not hide why nothing was done.
		if (!isDone && this.underWay.get(key)?.isStored) {
			await this.takeBack(store, key).catch(() => undefined);
		}
		this.settle(key, isDone);
	}

	private settle(key: string, isDone: boolean): void {
		this.underWay.get(key)?.settle(isDone);
		this.underWay.delete(key);
	}

	private async takeBack(store: Store, key: string): Promise<void> {
		await this.inTurn(async () => {
			await store.removeProcessed([key], 'node', storing(this.most));
		});
	}

	/** Stores a key, together with all that wait. @returns whether it is new */
	private async add(store: Store, key: string): Promise<boolean> {
		const isNew = new Promise<boolean>((resolve, reject) => {
			this.waiting.push({ key, resolve, reject });
		});
		// The first that waits asks for a turn, which takes all that have come until it begins.
		if (this.waiting.length === 1) void this.inTurn(async () => await this.addWaiting(store));
		return await isNew;
	}

	private async addWaiting(store: Store): Promise<void> {
		const { waiting } = this;
		this.waiting = [];
		const keys = waiting.map(({ key }) => key);
		const check = async () => await store.checkProcessedAndRecord(keys, 'node', storing(this.most));
		// Two processes that store the first key of a node at the same moment collide (n8n.md#store-of-keys).
		await check()
			.catch(check)
			.then(
				({ processed }) => {
					const before = new Set(processed);
					for (const { key, resolve } of waiting) resolve(!before.has(key));
				},
				() => {
					for (const { reject } of waiting) reject(notStored());
				},
			);
	}

	/** Changes n8n's store after the changes before. */
	private async inTurn(change: () => Promise<void>): Promise<void> {
		const turn = this.lastChange.then(change);
		this.lastChange = turn.catch(() => undefined);
		await turn;
	}
}
