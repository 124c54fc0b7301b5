import { createHmac } from 'node:crypto';

import type { Contract } from '../contract/contract.mts';
import { webhookUrl } from '../domain/call/notifications.mts';
import type { Engine } from '../runtime/engine.mts';
import type { Agenda } from '../runtime/scheduler.mts';
import { timeLimit, wait } from '../base/wait.mts';
import type { Delivery } from '../store/records.mts';
import { send, type Outcome } from './send.mts';

/** So many deliveries may be on their way at once. */
const MAX_IN_FLIGHT = 20;

/** When the result of a delivery cannot be written down, that is tried again after each of these. */
const NOTE_PAUSES_MS = [100, 1000, 10_000];

/**
 * Delivers the queued webhooks. A delivery stays pending in the store until its attempt has ended,
 * so one that was cut off by a crash is made again after the restart.
 */
export class DeliveryQueue implements Agenda {
	readonly #engine: Engine;
	readonly #contract: Contract;
	readonly #inFlight = new Map<number, Promise<void>>();
	/** Sent, but the result could not be written down: to be sent again by the next start, not by this one. */
	readonly #unnoted = new Set<number>();
	#cut = new AbortController();

	constructor(engine: Engine, contract: Contract) {
		this.#engine = engine;
		this.#contract = contract;
	}

	nextDue(): number | undefined {
		return this.#next()?.next_attempt_at;
	}

	runDue(time: number): number {
		let started = 0;
		for (
			let delivery = this.#next();
			delivery && delivery.next_attempt_at <= time;
			delivery = this.#next()
		) {
			this.#inFlight.set(delivery.id, this.#attempt(delivery));
			started += 1;
		}
		return started;
	}

	async settled(): Promise<void> {
		while (this.#inFlight.size > 0) await Promise.all(this.#inFlight.values());
	}

	/** Breaks off what is on its way, leaving it pending, and waits until that is done. */
	async cut(): Promise<void> {
		this.#cut.abort();
		await this.settled();
		this.#unnoted.clear();
		this.#cut = new AbortController();
	}

	/** The pending delivery that is due first and not on its way; none while too many are. */
	#next(): Delivery | undefined {
		if (this.#inFlight.size >= MAX_IN_FLIGHT) return undefined;
		return this.#engine.store.state.deliveries
			.select([['state', 'is', 'pending']], {
				by: 'next_attempt_at',
				limit: this.#inFlight.size + this.#unnoted.size + 1,
			})
			.find(({ id }) => !this.#inFlight.has(id) && !this.#unnoted.has(id));
	}

	async #attempt(queued: Delivery): Promise<void> {
		const at = new Date(this.#engine.clock.now()).toISOString();
		const { signal } = this.#cut;
		const assistant = this.#engine.store.state.assistants.get(queued.assistant_id);
		const url = assistant ? webhookUrl(assistant, queued.event) : null;
		const outcome = url === null ? undefined : await this.#send(url, queued, signal);
		// Without a URL nothing was awaited, and runDue has not noted this delivery as on its way yet.
		await Promise.resolve();
		const result = url === null || outcome === undefined ? undefined : { url, outcome };
		await this.#settle(queued.id, signal, () => {
			if (result) this.#note({ ...queued, url: result.url }, at, result.outcome);
			else this.#cancel(queued);
		});
	}

	/** Writes down what became of a delivery. Never throws: nobody would catch it. */
	async #settle(id: number, signal: AbortSignal, write: () => void): Promise<void> {
		for (const pause of [0, ...NOTE_PAUSES_MS]) {
			if (pause > 0) await wait(pause, signal);
			const own = this.#inFlight.get(id);
			// Before the commit, which looks for what is due next: this one may be, again.
			this.#inFlight.delete(id);
			if (signal.aborted) return;
			try {
				write();
				return;
			} catch (error) {
				console.error(`The sandbox could not write down what became of delivery ${id}:`, error);
				// Nobody else may send it meanwhile.
				if (own) this.#inFlight.set(id, own);
			}
		}
		this.#inFlight.delete(id);
		this.#unnoted.add(id);
	}

	async #send(url: string, { event, body }: Delivery, cut: AbortSignal): Promise<Outcome> {
		const breach = this.#contract.breachOfWebhook(event, body);
		if (breach !== undefined) {
			return { status: null, body: '', error: `The sandbox made a wrong webhook: ${breach}` };
		}
		const { webhookTimeoutMs, webhookSignature } = this.#engine.assumptions;
		const text = JSON.stringify(body);
		const headers = webhookSignature
			? {
					[webhookSignature.header]: createHmac('sha256', webhookSignature.secret)
						.update(text)
						.digest('hex'),
				}
			: {};
		return send(url, text, headers, timeLimit(webhookTimeoutMs, cut));
	}

	#cancel(delivery: Delivery): void {
		this.#engine.commit(({ state }) =>
			state.deliveries.update({ ...delivery, state: 'cancelled' }),
		);
	}

	/** Writes down an attempt, plans the next one if there is to be one, and tells the call. */
	#note(delivery: Delivery, at: string, outcome: Outcome): void {
		const { status, error } = outcome;
		const attempts = [...delivery.attempts, { at, status, error }];
		this.#engine.commit(({ state, now, assumptions }) => {
			const wait = assumptions.webhookRetryWaitsMs[attempts.length - 1];
			const again = error !== null && wait !== undefined;
			state.deliveries.update({
				...delivery,
				attempts,
				state: error === null ? 'delivered' : again ? 'pending' : 'failed',
				next_attempt_at: again ? now + wait : delivery.next_attempt_at,
			});
			const call = state.calls.get(delivery.call_id);
			if (!call || delivery.event !== 'postCall') return;
			const response = status === null ? { error } : { status, body: outcome.body };
			state.calls.update({ ...call, webhook_response: response });
		});
	}
}
