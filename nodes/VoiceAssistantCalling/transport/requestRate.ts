import { pauseMs } from '../../shared/client/retryAfter';

/** How many requests of an account are in flight at first. Each that is accepted allows one more. */
const FIRST_IN_FLIGHT = 10;

/** Limits are for whole seconds. */
const SECOND_MS = 1_000;

/** Requests do not arrive at the same distance at which they start. */
const MARGIN = 1.05;

/** By how much more a window takes when it tries to take more. */
const GROWTH = 1.25;

/** How long no request is refused until a window tries to take more. */
const FIRST_CALM_MS = 1_000;
const MAX_CALM_MS = 16_000;

/** Requests that started one after the other, until the service refused one or the rate was reached. */
interface Window {
	startedAt: number;
	started: number;
	accepted: number;
	/** When the first response came; 0 before. The service began to count before. */
	acceptedAt: number;
	/** Whether the service had asked for a pause before, so that it begins to count anew. */
	isAfterPause: boolean;
}

/** The requests that were refused at about the same time. */
interface AskedPause {
	/** The wait that the service asked for; undefined or 0 if it named none. */
	askedMs: number | undefined;
	/** Whether it tells of a limit of requests, and not of a maintenance. */
	isLimit: boolean;
}

const wholeSeconds = (ms: number) => Math.max(1, Math.floor(ms / SECOND_MS)) * SECOND_MS;

/**
 * When an account may start a request, as far as the responses to earlier ones tell: the service does not
 * say how many it allows (docs/decisions/0014). A refusal pauses the account, and teaches how many requests
 * the service takes in which time. From then on, no more are started. All times are in milliseconds.
 */
export class RequestRate {
	private pauseEnd = 0;

	/** Pauses since a request was accepted. */
	private pauses = 0;

	/** What began the last pause, until a request starts after it. */
	private refusal: AskedPause | undefined;

	/** One request goes first, because the last pause was too short, or a maintenance may last longer. */
	private goesAlone = false;

	/** Accepted requests since the run began, or since its first refusals. */
	private accepted = 0;

	/** Whether the service has a limit. */
	private isLimited = false;

	/** So many requests start in each period; Infinity while this is not known. */
	private count = Infinity;

	private periodMs = SECOND_MS;

	/** The latest starts, at least as many as a window has. */
	private starts: number[] = [];

	private window: Window | undefined;

	/** The window before, or the last one that was measured. */
	private lastWindow: Window | undefined;

	/** The last refusal, or the last time when a window took more. */
	private calmSince = 0;

	private calmMs = FIRST_CALM_MS;

	/** How many a window had before it tried to take more; undefined when all of them were accepted. */
	private grownFrom: number | undefined;

	/** How long the present pause lasts. */
	pauseLeftMs(now: number): number {
		return Math.max(0, this.pauseEnd - now);
	}

	/**
	 * How long no request may start.
	 *
	 * @param inFlight how many requests of the account have no response
	 * @returns 0 when one may start, Infinity when a response must come before
	 */
	waitMs(now: number, inFlight: number): number {
		if (now < this.pauseEnd) return this.pauseEnd - now;
		if (this.goesAlone && inFlight > 0) return Infinity;
		if (this.count === Infinity) {
			// Where there is a limit, fewer: those that are in flight when it is reached are refused.
			const most = this.isLimited ? 2 + this.accepted / 3 : FIRST_IN_FLIGHT + this.accepted;
			return inFlight < most ? 0 : Infinity;
		}
		// As many start in any period, not only in each window: the service may count from any time.
		const before = this.starts.at(-this.count) ?? -Infinity;
		return Math.max(0, before + this.periodMs * MARGIN - now);
	}

	/** Counts a request that starts. */
	start(now: number): void {
		const isAfterPause = this.refusal?.isLimit === true;
		if (this.refusal?.isLimit) this.learn(this.refusal, now);
		this.refusal = undefined;
		if (!this.window || isAfterPause) this.beginWindow(now, isAfterPause);
		else if (this.window.started >= this.count) this.continueWith(now);
		if (this.window) this.window.started++;
		this.starts.push(now);
		if (this.starts.length > 2 * this.count) this.starts = this.starts.slice(-this.count);
	}

	/** Counts a request that the service has let in. */
	accept(now: number): void {
		this.accepted++;
		this.pauses = 0;
		this.goesAlone = false;
		if (!this.window) return;
		this.window.accepted++;
		this.window.acceptedAt ||= now;
	}

	/**
	 * Begins or prolongs a pause. Requests that are refused during a pause began before it.
	 *
	 * @returns how long the pause lasts from now
	 */
	refuse(now: number, refusal: AskedPause): number {
		if (now >= this.pauseEnd) {
			this.pauses++;
			this.refusal = refusal;
		}
		if (this.pauses > 1 || !refusal.isLimit) this.goesAlone = true;
		// The pause was too short: the service still counts the window before, and only the rest of this one is new.
		if (this.window?.accepted === 0) this.window.isAfterPause = false;
		const ms = pauseMs(refusal.askedMs, Math.max(1, this.pauses));
		this.pauseEnd = Math.max(this.pauseEnd, now + ms);
		return ms;
	}

	private beginWindow(startedAt: number, isAfterPause: boolean): void {
		this.window = { startedAt, started: 0, accepted: 0, acceptedAt: 0, isAfterPause };
	}

	/** Begins a window after one that was not refused. Now and then it takes more: the limit may have grown. */
	private continueWith(now: number): void {
		this.lastWindow = this.window;
		this.beginWindow(now, false);
		this.grownFrom = undefined;
		if (now - this.calmSince < this.calmMs) return;
		this.calmSince = now;
		this.calmMs = Math.max(FIRST_CALM_MS, this.calmMs / 2);
		this.grownFrom = this.count;
		this.count = Math.ceil(this.count * GROWTH);
	}

	/** Learns from a refusal, when its pause is over and all who were in flight have their response. */
	private learn({ askedMs }: AskedPause, now: number): void {
		const { window, lastWindow } = this;
		this.calmSince = now;
		this.calmMs = Math.min(MAX_CALM_MS, this.calmMs * 3);
		if (!window) return;
		if (this.count === Infinity && !(window.isAfterPause && window.accepted > 0)) {
			// Others may have sent requests of the account before. The next window begins with none.
			this.isLimited = true;
			this.accepted = 0;
			return;
		}
		// A window that was not begun by a pause may have begun in the middle of one of the service.
		const isFull = window.isAfterPause
			? window.accepted / this.periodOf(window) >= this.count / 2 / this.periodMs
			: window.accepted >= 0.64 * this.count;
		if (this.count === Infinity || isFull) {
			this.count = window.accepted;
			// A pause that the service has not named does not tell when its window ends.
			if (askedMs || window.isAfterPause) this.measurePeriod(window);
		} else if (window.isAfterPause && window.accepted > 0) {
			// It may be that the pause was too short for all of them.
			this.count = Math.max(window.accepted, Math.ceil(this.count / 2));
		} else if (this.grownFrom !== undefined) {
			// It was not to take more.
			this.count = this.grownFrom;
		} else if (!window.isAfterPause && (askedMs ?? 0) <= this.periodMs && this.pauses < 2) {
			// The first of a window came too early: their ways were not equally long.
			this.periodMs *= 1.15;
		} else if (lastWindow?.accepted && (!askedMs || !window.isAfterPause)) {
			// Too few were accepted: the service still counted the window before.
			this.count = lastWindow.accepted;
			this.measurePeriod(lastWindow);
		}
		this.grownFrom = undefined;
	}

	/** `Retry-After` is rounded up to whole seconds, so the whole second within is the likely period. */
	private measurePeriod(window: Window): void {
		this.periodMs = this.periodOf(window);
		this.lastWindow = window;
	}

	private periodOf({ acceptedAt }: Window): number {
		return wholeSeconds(this.pauseEnd - acceptedAt);
	}
}
