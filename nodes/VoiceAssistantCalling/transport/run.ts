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
 * One run of the node: all of its input items. It keeps at most `limit` of them in flight, holds all of
 * them back while the service wants to be left alone, and starts none after a failure.
 *
 * n8n's *Retry On Fail* re-runs every item on the same execute data (n8n 2.0, 2.41), so the run also
 * remembers what must not be sent a second time: items that went through, items still on their way, and
 * writes whose outcome is not known.
 */
export class Run {
	private readonly slots: Slots;

	private readonly total: number;

	private readonly isOneGo: boolean;

	private readonly done = new Map<number, INodeExecutionData[]>();

	private readonly uncertain = new Map<number, ServiceProblem>();

	private readonly underWay = new Map<number, Promise<ServiceProblem | undefined>>();

	private readonly begun = new Set<number>();

	private whenAllBegun: Array<() => void> = [];

	private failure?: Failure;

	private notBefore = 0;

	/**
	 * @param limit the most items in flight
	 * @param total how many items the run has
	 * @param isOneGo whether n8n asks for all of them at once, or with pauses in between (Batching)
	 */
	constructor(limit: number, total: number, isOneGo = true) {
		this.slots = new Slots(limit);
		this.total = total;
		this.isOneGo = isOneGo;
	}

	/**
	 * Carries one item out when its turn comes, or answers with what an earlier try of the run gave.
	 *
	 * @param item index of the item, from 0
	 * @param send sends the item; rejects with a {@link ServiceProblem}
	 * @param failsAlone whether a failure concerns this item only (continue on fail, AI tool)
	 * @returns what came out for the item; undefined where n8n has failed before it asked for all items,
	 * so that nobody waits for this one and it was not sent behind the user's back
	 * @throws {ServiceProblem} the item's own, if it fails alone
	 * @throws {RunStopped} otherwise; the same for every item that did not go through, because n8n shows
	 * the error of the lowest item index, which may be one that was only held back
	 */
	async carryOut(
		item: number,
		send: () => Promise<INodeExecutionData[]>,
		failsAlone: boolean,
	): Promise<INodeExecutionData[] | undefined> {
		this.begin(item);
		if (this.isOneGo) {
			// By now n8n has asked for all items, unless one of its expressions has failed the node.
			await Promise.resolve();
			if (this.begun.size < this.total) return undefined;
		}

		const problem = await this.outcome(item, send, failsAlone);
		if (!problem) return this.done.get(item);
		if (failsAlone) throw problem;
		const failure = this.failure ?? { item, problem };
		await this.slots.empty();
		// n8n looks at no failure while it pauses between batches, and Node takes it for unhandled then.
		await this.allBegun();
		throw new RunStopped(failure.item, failure.problem, [...this.done.keys()]);
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
			this.whenAllBegun = [];
			this.failure = undefined;
		}
		this.begun.add(item);
		if (this.begun.size >= this.total) this.whenAllBegun.forEach((resolve) => resolve());
	}

	private async allBegun(): Promise<void> {
		if (this.begun.size >= this.total) return;
		await new Promise<void>((resolve) => this.whenAllBegun.push(resolve));
	}

	/** What becomes of an item, from this try or from an earlier one that still has it on its way. */
	private async outcome(
		item: number,
		send: () => Promise<INodeExecutionData[]>,
		failsAlone: boolean,
	): Promise<ServiceProblem | undefined> {
		if (this.done.has(item)) return undefined;
		const known = this.underWay.get(item);
		if (known) return await known;
		const turn = this.inTurn(item, send, failsAlone).finally(() => this.underWay.delete(item));
		this.underWay.set(item, turn);
		return await turn;
	}

	private async inTurn(
		item: number,
		send: () => Promise<INodeExecutionData[]>,
		failsAlone: boolean,
	): Promise<ServiceProblem | undefined> {
		await this.slots.enter();
		const held = this.failure?.problem ?? this.uncertain.get(item);
		const problem = held ?? (await this.sent(item, send));
		if (problem && !failsAlone) this.failure ??= { item, problem };
		this.slots.leave();
		return problem;
	}

	private async sent(
		item: number,
		send: () => Promise<INodeExecutionData[]>,
	): Promise<ServiceProblem | undefined> {
		const result = await send().catch((problem: ServiceProblem) => problem);
		if (Array.isArray(result)) {
			this.done.set(item, result);
			return undefined;
		}
		if (result.uncertain) this.uncertain.set(item, result);
		return result;
	}
}
