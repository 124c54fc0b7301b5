import { matchesDelivery, type DeliveryRule, type DeliveryTraits } from './deliveryFaults.mts';
import { matchesRequest, type RequestRule, type RequestTraits } from './requestFaults.mts';
import { RuleSet, type InForce } from './ruleSet.mts';

export type FaultRule = (RequestRule | DeliveryRule) & { preset?: string };
export type RequestFault = InForce<RequestRule>;
export type DeliveryFault = InForce<DeliveryRule>;

export interface ShownFault {
	id: number;
	times: number;
	expires_at?: string;
	[field: string]: unknown;
}

/** Shorter tokens are not shown in part, because the rest could be guessed. */
const SHORTEST_PARTLY_SHOWN = 12;

/**
 * The rules in force. They are kept in memory: a restart forgets them, but not what they did to a
 * delivery. All times are sandbox milliseconds.
 */
export class Faults {
	readonly requests = new RuleSet<RequestRule, RequestTraits>(matchesRequest);
	readonly deliveries = new RuleSet<DeliveryRule, DeliveryTraits>(matchesDelivery);
	/** The last id. Ids are not used again, not even after a reset. */
	#count = 0;

	add(rule: FaultRule, now: number): ShownFault {
		this.#count += 1;
		return shownFault(
			rule.target === 'deliveries'
				? this.deliveries.add(this.#count, rule, now)
				: this.requests.add(this.#count, rule, now),
		);
	}

	/** The rules in force, in the order in which they were added. */
	list(now: number): ShownFault[] {
		return [...this.requests.list(now), ...this.deliveries.list(now)]
			.sort((a, b) => a.id - b.id)
			.map(shownFault);
	}

	/** Removes one rule. Nothing happens when it is not in force. */
	remove(id: number): void {
		this.requests.remove(id);
		this.deliveries.remove(id);
	}

	/** Removes all rules and starts the random numbers again: the same rules hit the same requests. */
	clear(): void {
		this.requests.clear();
		this.deliveries.clear();
	}
}

/** A copy of a fault as it is now, without the token that it may have. */
export function shownFault(fault: RequestFault | DeliveryFault): ShownFault {
	if (fault.target === 'deliveries' || fault.token === undefined) return { ...fault };
	const end = fault.token.length < SHORTEST_PARTLY_SHOWN ? '' : fault.token.slice(-4);
	return { ...fault, token: `Bearer …${end}` };
}
