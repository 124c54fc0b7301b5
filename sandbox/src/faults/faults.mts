import { matchesDelivery, type DeliveryRule, type DeliveryTraits } from './deliveryFaults.mts';
import { matchesRequest, type RequestRule, type RequestTraits } from './requestFaults.mts';
import { RuleSet, type InForce } from './ruleSet.mts';

export type FaultRule = (RequestRule | DeliveryRule) & { preset?: string };
export type RequestFault = InForce<RequestRule>;
export type DeliveryFault = InForce<DeliveryRule>;

export interface ShownFault {
	id: number;
	/** Name of the preset that has the rule. */
	preset?: string;
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

	/** How many faults were turned on: the rules of a preset are one. */
	count(now: number): number {
		return new Set(this.list(now).map(({ id, preset }) => preset ?? id)).size;
	}

	/** Removes a rule that is in force, and the other ones of its preset. */
	remove({ id, preset }: ShownFault, now: number): void {
		for (const fault of this.list(now)) {
			if (fault.id !== id && (preset === undefined || fault.preset !== preset)) continue;
			this.requests.remove(fault.id);
			this.deliveries.remove(fault.id);
		}
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
