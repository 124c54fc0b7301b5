import type { Response } from '../base/apiError.mts';
import type { Random } from '../base/random.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { DeliveryTraits } from '../faults/deliveryFaults.mts';
import type { DeliveryFault } from '../faults/faults.mts';
import type { User } from '../store/records.mts';
import type { State } from '../store/store.mts';
import type { Scenarios } from './call/scenarios.mts';

/** Everything that code inside a transaction may use. What it changes, it changes in `state`. */
export interface Context {
	state: State;
	/** Sandbox time in milliseconds since 1970. */
	now: number;
	random: Random;
	/** For what is drawn beside `random`; see base/drawn.mts. */
	seed: number;
	assumptions: Assumptions;
	scenarios: Scenarios;
	/** How many times faster than by its scenario a call goes on. */
	callSpeed: number;
	/** The service's base URL, ending in `/api`, for paging links. */
	baseUrl: string;
	/** The request to the service that is handled; null when there is none. */
	requestId: number | null;
	/** Starts the calls to the waiting leads of a running campaign; see simulation/callLeads.mts. */
	callLeads: (campaignId: number) => void;
	/** The fault that hits a webhook; see faults/faults.mts. */
	takeDeliveryFault: (delivery: DeliveryTraits) => DeliveryFault | undefined;
}

/** The state outside of a transaction, and the way into one. */
export interface Engine {
	/** To be read only. */
	readonly state: State;
	readonly assumptions: Assumptions;
	readonly scenarios: Scenarios;
	/** Sandbox time in milliseconds since 1970. */
	now(): number;
	/**
	 * Does `work` completely or not at all. What it changed is on disk when this returns.
	 *
	 * @param requestId the request to the service that asks for it, if there is one
	 */
	commit<Result>(work: (context: Context) => Result, requestId?: number | null): Result;
	/** Does `work` that only reads. */
	read<Result>(work: (context: Context) => Result): Result;
}

/** A request that fits its schema in the contract. */
export interface DomainRequest<Body = undefined, Query = undefined> {
	/** The `{id}` of the path, where it has one. */
	id: number;
	body: Body;
	/** With defaults filled in. */
	query: Query;
	/** The query as it was sent, for links that ask for the same. */
	givenQuery: { [name: string]: string };
}

/** Answers one operation for one user, or throws an ApiError. */
export type Handler<Body = undefined, Query = undefined> = (
	context: Context,
	user: User,
	request: DomainRequest<Body, Query>,
) => Response;
