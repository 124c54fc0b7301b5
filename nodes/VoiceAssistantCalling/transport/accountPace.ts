import type { Failure } from '../../shared/client/failedRequest';
import { isRateLimit, MAX_WAIT_MS } from '../../shared/client/retry';
import { pauseMs } from '../../shared/client/pauseAfterRefusal';

/** How many requests of an account are in flight at first. Each that is accepted allows one more. */
const FIRST_SLOTS = 10;

/** Refusals in this time, and those in a pause, are one round: the requests were in flight together. */
const ROUND_MS = 1_000;

/** How many accepted requests give a slot back. */
const ACCEPTED_PER_SLOT = 10;

/** The shortest time without a refusal before a slot is given back. */
const FIRST_CALM_MS = 1_000;

/** Why the service wants no request of an account: its rate limit, or a maintenance. */
export type PauseReason = 'rate limit' | 'maintenance';

/**
 * How many requests an account may have in flight, and when. Refusals take slots away, and requests that are
 * accepted give them back: additive increase, multiplicative decrease (docs/decisions/0014). All times are in
 * milliseconds.
 */
export class AccountPace {
	/** Requests in flight. */
	running = 0;

	/** Requests that are to be sent again. */
	waiting = 0;

	/** Those of them whose wait is not over. */
	sleeping = 0;

	/** Of the last refusal. */
	reason: PauseReason = 'rate limit';

	/** Until then the service asked for a pause. */
	askedUntil = 0;

	/** A pause until then is reported. */
	reportedUntil = 0;

	private readonly maxSlots: number;

	private slots: number;

	private pauseEnd = 0;

	/** When the last round of refusals is over. */
	private roundEnd = 0;

	/** Rounds since a request was accepted. */
	private rounds = 0;

	/** One request goes first: the last pause was too short, or a maintenance may last longer. */
	private goesAlone = false;

	/** Requests that were accepted since the last round began; undefined before the first one. */
	private acceptedSinceRound: number | undefined;

	private acceptedSinceChange = 0;

	/** When the number of slots changed, or the last round began. */
	private calmSince = 0;

	/** How long no request is refused until a slot is given back; 0 before the first round. */
	private calmMs = 0;

	/** @param maxSlots the most requests in flight */
	constructor(maxSlots: number) {
		this.maxSlots = maxSlots;
		this.slots = Math.min(FIRST_SLOTS, maxSlots);
	}

	/** How long no request may start. */
	pauseLeftMs(now: number): number {
		return Math.max(0, this.pauseEnd - now);
	}

	/** Whether a request has a slot. @param isRepeat whether it was sent before, so that it goes before others */
	hasSlot(isRepeat: boolean): boolean {
		if (this.goesAlone) return this.running === 0 && (isRepeat || this.waiting === 0);
		return this.running + (isRepeat ? this.sleeping : this.waiting) < Math.floor(this.slots);
	}

	/** Counts a request that the service has let in. */
	accept(now: number): void {
		if (this.acceptedSinceRound !== undefined) this.acceptedSinceRound++;
		this.acceptedSinceChange++;
		// Before, it is the response to a request that was in flight when the round began.
		if (now >= this.roundEnd - ROUND_MS / 2) {
			this.rounds = 0;
			this.goesAlone = false;
		}
		const isLimited = this.calmMs > 0;
		const isCalm = now - this.calmSince >= this.calmMs;
		if (isLimited && !(isCalm && this.acceptedSinceChange >= ACCEPTED_PER_SLOT)) return;
		this.slots = Math.min(this.maxSlots, this.slots + 1);
		if (isLimited) this.calmMs = Math.max(FIRST_CALM_MS, this.calmMs / 2);
		this.beginCalm(now);
	}

	/**
	 * Counts a request that was refused. All requests of the account wait if the service names a wait, or has
	 * accepted none since the last round. Otherwise only this one waits.
	 *
	 * @returns how long this one waits
	 */
	refuse(now: number, failure: Failure): number {
		const { retryAfterMs: askedMs = 0 } = failure;
		const isLimit = isRateLimit(failure);
		this.reason = isLimit ? 'rate limit' : 'maintenance';
		this.askedUntil = Math.max(this.askedUntil, now + askedMs);
		const isNewRound = now >= this.roundEnd;
		if (isNewRound) this.rounds++;
		const ms = pauseMs(askedMs, Math.max(1, this.rounds));
		if (this.rounds > 1 || !isLimit) this.goesAlone = true;
		if (this.rounds > 1 || askedMs > 0) this.pauseEnd = Math.max(this.pauseEnd, now + ms);
		if (isNewRound && isLimit) this.takeSlots(now, askedMs > 0 ? ms : Infinity);
		this.roundEnd = Math.max(isNewRound ? now + ROUND_MS : this.roundEnd, this.pauseEnd);
		return ms;
	}

	/** @param pause how long all requests wait; Infinity if they do not */
	private takeSlots(now: number, pause: number): void {
		const { slots, acceptedSinceRound: accepted = 0 } = this;
		// The service takes nearly as many as come, and each further refusal costs a pause.
		const isNearLimit = now - this.roundEnd > pause / 3;
		if (accepted > 0) {
			const fewer = isNearLimit ? slots - 1 : Math.max(accepted, slots) / 2;
			this.slots = Math.max(1, Math.min(slots, fewer));
		}
		this.acceptedSinceRound = 0;
		const calmMs = isNearLimit ? 3 * this.calmMs : 0;
		this.calmMs = Math.min(MAX_WAIT_MS, Math.max(FIRST_CALM_MS, calmMs));
		this.beginCalm(Math.max(now, this.pauseEnd));
	}

	private beginCalm(since: number): void {
		this.calmSince = since;
		this.acceptedSinceChange = 0;
	}
}
