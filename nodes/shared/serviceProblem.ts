/** What to tell about a write whose answer never came, or was a failure of the service itself. */
export const MAY_HAVE_BEEN_DONE =
	'It is not known whether the service carried the request out, so it was not sent again. Check at your provider whether it did before you run this step again.';

/** What went wrong, in words for the user, and what is known about the request it happened to. */
export interface ProblemDetails {
	/** What happened, in one sentence, in the service's own words where it has some. */
	message: string;
	/** What to do next; the fields of a validation error stand here, one on a line. */
	description: string;
	/** HTTP status, or the code of a failed connection such as `ECONNREFUSED`. */
	httpCode?: string;
	/** The service's messages by field (contract: Errors). */
	errors?: Record<string, string[]>;
	/** Whether this was a write that the service may have carried out: it must not be sent again. */
	uncertain?: boolean;
	/** Milliseconds that the service asked to wait (429). */
	retryAfterMs?: number;
	/** Whether the same request may succeed a little later: rate limit, 5xx, failed connection. */
	passing?: boolean;
}

/**
 * A request that did not succeed. It holds words only: no request, no header and no token can be
 * reached from it, so that it may be shown, logged and put into an item.
 */
export class ServiceProblem extends Error {
	readonly description: string;

	readonly httpCode?: string;

	readonly errors?: Record<string, string[]>;

	readonly uncertain: boolean;

	readonly retryAfterMs?: number;

	readonly passing: boolean;

	constructor(details: ProblemDetails) {
		super(details.message);
		this.name = 'ServiceProblem';
		this.description = details.description;
		this.httpCode = details.httpCode;
		this.errors = details.errors;
		this.uncertain = details.uncertain ?? false;
		this.retryAfterMs = details.retryAfterMs;
		this.passing = details.passing ?? false;
	}

	/** What happened and what to do next, for places that show one text only. */
	get inOneText(): string {
		const end = /[.!?]$/.test(this.message) ? '' : '.';
		return `${this.message}${end} ${this.description}`;
	}
}
