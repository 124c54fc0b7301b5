import type { Random } from '../base/random.mts';
import type { User } from '../store/records.mts';
import type { State } from '../store/store.mts';
import type { Answer } from '../base/response.mts';
import type { Assumptions } from '../contract/assumptions.mts';

/** All that the domain may know of the world. What it changes, it changes in `state`. */
export interface Context {
	state: State;
	/** Sandbox time in milliseconds since 1970. */
	now: number;
	random: Random;
	assumptions: Assumptions;
	/** The service's base URL, ending in `/api`, for paging links. */
	baseUrl: string;
}

/** A request that has met its schema in the contract. */
export interface DomainRequest<Body = undefined, Query = undefined> {
	/** The `{id}` of the path, where it has one. */
	id: number;
	body: Body;
	/** With defaults filled in. */
	query: Query;
	/** The query as it was sent, for links that ask for the same. */
	asked: { [name: string]: string };
}

/** Answers one operation for one user, or throws a Refusal. */
export type Handler<Body = undefined, Query = undefined> = (
	context: Context,
	user: User,
	request: DomainRequest<Body, Query>,
) => Answer;
