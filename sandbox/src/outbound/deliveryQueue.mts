import { createHmac } from 'node:crypto';

import type { JobSource } from '../base/jobSource.mts';
import { timeLimit, wait } from '../base/wait.mts';
import type { Contract } from '../contract/contract.mts';
import type { Delivery } from '../store/records.mts';
import { webhookUrl } from '../domain/call/notifications.mts';
import type { Engine } from '../domain/context.mts';
import { send, type SendResult } from './send.mts';

const MAX_IN_FLIGHT = 20;

/** A result that could not be stored is stored again after each such pause. */
const STORE_PAUSE_MS = 250;

/**
 * Delivers the queued webhooks. A delivery stays pending in the store until its attempt has ended, and
 * one that a crash has cut is made again after the restart.
 */
export class DeliveryQueue implements JobSource {
	readonly #engine: Engine;
	readonly #contract: Contract;
	readonly #inFlight = new Map<number, Promise<void>>();
	#abort = new AbortController();

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

	/** Aborts what is in flight, which stays pending. Resolves when that is done. */
	async abort(): Promise<void> {
		this.#abort.abort();
		await this.settled();
		this.#abort = new AbortController();
	}

	/** The pending delivery that is due first and not in flight; none while too many are. */
	#next(): Delivery | undefined {
		if (this.#inFlight.size >= MAX_IN_FLIGHT) return undefined;
		return this.#engine.state.deliveries
			.select([['state', 'is', 'pending']], {
				by: 'next_attempt_at',
				limit: this.#inFlight.size + 1,
			})
			.find(({ id }) => !this.#inFlight.has(id));
	}

	async #attempt(delivery: Delivery): Promise<void> {
		const at = new Date(this.#engine.now()).toISOString();
		const { signal } = this.#abort;
		const assistant = this.#engine.state.assistants.get(delivery.assistant_id);
		const url = assistant ? webhookUrl(assistant, delivery.event) : null;
		const result = url === null ? undefined : await this.#send(url, delivery, signal);
		// Without a URL nothing was awaited, and runDue has not added this attempt to #inFlight yet.
		await Promise.resolve();
		await this.#store(delivery.id, signal, () => {
			if (url === null || result === undefined) this.#cancel(delivery);
			else this.#recordAttempt({ ...delivery, url }, at, result);
		});
	}

	/** Stores the result of an attempt. Until that succeeds the attempt counts as in flight. */
	async #store(id: number, signal: AbortSignal, write: () => void): Promise<void> {
		const attempt = this.#inFlight.get(id);
		let hasFailed = false;
		while (!signal.aborted) {
			// The commit looks for what is due next, and this delivery may be due again.
			this.#inFlight.delete(id);
			try {
				write();
				return;
			} catch (error) {
				if (attempt) this.#inFlight.set(id, attempt);
				if (!hasFailed) console.error(`The result of delivery ${id} could not be stored:`, error);
				hasFailed = true;
				await wait(STORE_PAUSE_MS, signal);
			}
		}
		this.#inFlight.delete(id);
	}

	async #send(url: string, { event, body }: Delivery, aborted: AbortSignal): Promise<SendResult> {
		const violation = this.#contract.validateWebhook(event, body);
		if (violation !== undefined) {
			return { status: null, body: '', error: `The webhook violates the contract: ${violation}` };
		}
		const { assumptions } = this.#engine;
		const signature = assumptions['webhook-signature'];
		const text = JSON.stringify(body);
		const headers = signature
			? { [signature.header]: createHmac('sha256', signature.secret).update(text).digest('hex') }
			: {};
		return send(url, text, headers, timeLimit(assumptions['webhook-timeout'], aborted));
	}

	#cancel(delivery: Delivery): void {
		this.#engine.commit(({ state }) =>
			state.deliveries.update({ ...delivery, state: 'cancelled' }),
		);
	}

	/** Stores an attempt, plans the next one where there is to be one, and updates the call. */
	#recordAttempt(delivery: Delivery, at: string, result: SendResult): void {
		const { status, error } = result;
		const attempts = [...delivery.attempts, { at, status, error }];
		this.#engine.commit(({ state, now, assumptions }) => {
			const pause = assumptions['webhook-retries'][attempts.length - 1];
			const isRepeated = error !== null && pause !== undefined;
			state.deliveries.update({
				...delivery,
				attempts,
				state: error === null ? 'delivered' : isRepeated ? 'pending' : 'failed',
				next_attempt_at: isRepeated ? now + pause : delivery.next_attempt_at,
			});
			const call = state.calls.get(delivery.call_id);
			if (!call || delivery.event !== 'postCall') return;
			const response = status === null ? { error } : { status, body: result.body };
			state.calls.update({ ...call, webhook_response: response });
		});
	}
}
