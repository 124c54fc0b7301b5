import { ProcessMemory } from '../../shared/processMemory';
import { announcedLimit, type AnnouncedLimit } from './announcedLimit';

/** A longer wait is left to the service: it refuses the request, and says how long to wait. */
const MAX_WAIT_MS = 60_000;

/** The first request of a run goes alone for this time, where the service announces its limit. */
const MAX_FIRST_MS = 1_000;

/**
 * The accounts whose limit was announced in an earlier run of this n8n. The keys have tokens, so they must
 * stay in memory. With any other account, all requests of a run start at once.
 */
const announcingAccounts = new ProcessMemory<true>('announcesLimit');

/** What came back for a request. It has no headers when no response came. */
export interface WithHeaders {
	headers?: Record<string, unknown>;
}

/** How many requests are left in a window, as far as is known. */
interface Count {
	remaining: number;
	/** The window is over by then, in milliseconds since 1970. */
	until: number;
}

/** Whether one count leaves no more requests than another, for no shorter time. */
const covers = (one: Count, other: Count) =>
	one.remaining <= other.remaining && one.until >= other.until;

/** Adds a count. Those that another one covers are left out. */
const add = (count: Count, counts: Count[]): Count[] =>
	counts.some((other) => covers(other, count))
		? counts
		: [...counts.filter((other) => !covers(count, other)), count];

/**
 * How many requests an account may still start in the present window of its rate limit, as the responses
 * announce it. If none has announced it yet, any number may start; in an account that is known to have a
 * limit, the first request goes alone.
 */
export class RequestBudget {
	/** Requests without a response. The service may have counted them, or not. */
	private inFlight = 0;

	/** Between which times the latest known window ends. */
	private window: Omit<AnnouncedLimit, 'remaining'> | undefined;

	/**
	 * Responses come in any order, and it can be unknown of which window one tells. So each count holds
	 * until its own window is over.
	 */
	private counts: Count[] = [];

	/** When the newest response came. A request that starts later is counted later. */
	private knownSince = 0;

	/** How many requests a window has. */
	private limit = 1;

	/** Those who wait for the next response. */
	private readonly waiting: Array<() => void> = [];

	/** When others need not wait for the first response any longer. */
	private firstEnd: number;

	private readonly account: string;

	/** @param account see {@link Account.key} */
	constructor(account: string) {
		this.account = account;
		this.firstEnd = announcingAccounts.get(account) ? Infinity : 0;
	}

	/**
	 * How long no request may start.
	 *
	 * @returns milliseconds; 0 when one may start. Infinity when only a response can tell
	 */
	waitMs(now: number): number {
		if (!this.window) return this.inFlight > 0 ? Math.max(0, this.firstEnd - now) : 0;
		const open = this.counts.filter(({ until }) => until > now);
		if (open.length === 0) return this.limit > this.inFlight ? 0 : Infinity;
		const waits = open
			.filter(({ remaining }) => remaining <= this.inFlight)
			.map(({ until }) => until - now);
		return Math.max(0, ...waits.filter((ms) => ms <= MAX_WAIT_MS));
	}

	/** Resolves at the next response: {@link waitMs} may be shorter then. */
	async changed(): Promise<void> {
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Sends a request, counts it until its response is there, and reads what the response announces. */
	async send<T extends WithHeaders>(send: () => Promise<T>): Promise<T> {
		const startedAt = Date.now();
		this.firstEnd = Math.min(this.firstEnd, startedAt + MAX_FIRST_MS);
		this.inFlight++;
		let announced: AnnouncedLimit | undefined;
		try {
			const response = await send();
			announced = announcedLimit(response.headers ?? {}, startedAt, Date.now());
			return response;
		} finally {
			this.inFlight--;
			this.firstEnd = 0;
			if (announced) this.learn(announced, startedAt);
			// Nobody knows whether the service counted it.
			else for (const count of this.counts) count.remaining--;
			for (const resolve of this.waiting.splice(0)) resolve();
		}
	}

	/** Responses can come in another order than the service counted their requests. */
	private learn(announced: AnnouncedLimit, startedAt: number): void {
		const now = Date.now();
		const { window = announced } = this;
		if (!this.window) announcingAccounts.set(this.account, true);
		const { remaining, earliestReset, latestReset } = announced;
		this.limit = announced.limit ?? Math.max(this.limit, remaining + 1);
		// It was counted after all that are known, or before the end of the known window.
		const isNewest = startedAt >= Math.min(this.knownSince, window.latestReset);
		const isBeforeEnd = now < window.earliestReset;
		const isNewerWindow = isNewest || earliestReset >= window.latestReset;
		if (latestReset < window.earliestReset && !isNewerWindow) return;
		const isNextWindow = isNewerWindow && !isBeforeEnd;
		const merged = isNextWindow
			? announced
			: {
					earliestReset: Math.max(earliestReset, window.earliestReset),
					// A response that was surely counted in this window narrows its end down, also in
					// whole seconds. If it is unknown of which window one tells, the later one counts.
					latestReset: isNewest
						? Math.min(latestReset, window.latestReset)
						: Math.max(latestReset, window.latestReset),
				};
		// No window ends before its earliest end: the service moves the end with each request.
		const isMoving = merged.earliestReset > merged.latestReset;
		this.window = isMoving ? announced : merged;
		// It was counted after all that are known, or in a window after theirs.
		const replacesAll = isNewest || isNextWindow;
		const end = isBeforeEnd ? Math.min(latestReset, window.latestReset) : latestReset;
		this.counts = replacesAll
			? [{ remaining, until: this.window.latestReset }]
			: add(
					{ remaining, until: end },
					this.counts.filter(({ until }) => until > now),
				);
		this.knownSince = now;
	}
}
