import type { INodeExecutionData } from 'n8n-workflow';

import type { ServiceProblem } from '../../shared/serviceProblem';
import { Slots } from './slots';

/** A failure that ended a run: the item it happened to, and which items had gone through by then. */
export class RunStopped extends Error {
	readonly item: number;

	readonly problem: ServiceProblem;

	readonly done: number[];

	constructor(item: number, problem: ServiceProblem, done: number[]) {
		super(problem.message);
		this.item = item;
		this.problem = problem;
		this.done = done;
	}
}

interface Failure {
	item: number;
	problem: ServiceProblem;
}

/**
 * One run of the node: all of its input items, which n8n starts at once. It keeps at most `limit` of
 * them in flight, holds all of them back while the service wants to be left alone, and starts none
 * after a failure.
 *
 * n8n's *Retry On Fail* re-runs every item on the same execute data (n8n 2.0, 2.41), so the run also
 * remembers what must not be sent a second time: items that went through, and writes whose outcome is
 * not known.
 */
export class Run {
	private readonly slots: Slots;

	private readonly done = new Map<number, INodeExecutionData[]>();

	private readonly uncertain = new Map<number, ServiceProblem>();

	private readonly begun = new Set<number>();

	private readonly asked: number;

	private failure?: Failure;

	private notBefore = 0;

	/**
	 * @param limit the most items in flight
	 * @param asked how many items n8n asks for in one go; 0 where it does not
	 */
	constructor(limit: number, asked = 0) {
		this.slots = new Slots(limit);
		this.asked = asked;
	}

	/**
	 * Carries one item out when its turn comes, or answers with what an earlier try of the run gave.
	 *
	 * @param item index of the item, from 0
	 * @param send sends the item; rejects with a {@link ServiceProblem}
	 * @param aloneAffected whether a failure concerns this item only (continue on fail, AI tool)
	 * @returns what came out for the item
	 * @throws {ServiceProblem} the item's own, if it alone is affected
	 * @throws {RunStopped} otherwise; the same for every item that did not go through, because n8n shows
	 * the error of the lowest item index, which may be one that was only held back
	 */
	async carryOut(
		item: number,
		send: () => Promise<INodeExecutionData[]>,
		aloneAffected: boolean,
	): Promise<INodeExecutionData[]> {
		this.begin(item);
		const earlier = this.done.get(item);
		if (earlier) return earlier;

		// By now n8n has asked for all items, unless one of its expressions failed: then n8n has failed
		// too, nobody waits for this item any more, and it must not be sent behind the user's back.
		await Promise.resolve();
		if (this.begun.size < this.asked) return [];

		await this.slots.enter();
		const problem = this.failure ? this.failure.problem : await this.trySending(item, send);
		if (problem && !aloneAffected) this.failure ??= { item, problem };
		this.slots.leave();

		if (!problem) return this.done.get(item) ?? [];
		if (!this.failure) throw problem;
		await this.slots.empty();
		throw new RunStopped(this.failure.item, this.failure.problem, [...this.done.keys()]);
	}

	/** Holds the whole run back for so many milliseconds: a rate limit counts for all of its items. */
	pauseFor(ms: number): void {
		this.notBefore = Math.max(this.notBefore, Date.now() + ms);
	}

	/** Milliseconds until the run may send; 0 when it may now. */
	get pauseLeft(): number {
		return Math.max(0, this.notBefore - Date.now());
	}

	/** An item that begins for the second time shows that n8n runs all of them again. */
	private begin(item: number): void {
		if (this.begun.has(item)) {
			this.begun.clear();
			this.failure = undefined;
		}
		this.begun.add(item);
	}

	private async trySending(
		item: number,
		send: () => Promise<INodeExecutionData[]>,
	): Promise<ServiceProblem | undefined> {
		const known = this.uncertain.get(item);
		if (known) return known;
		const result = await send().catch((problem: ServiceProblem) => problem);
		if (Array.isArray(result)) {
			this.done.set(item, result);
			return undefined;
		}
		if (result.uncertain) this.uncertain.set(item, result);
		return result;
	}
}
