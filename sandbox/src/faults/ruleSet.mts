import { milliseconds } from '../base/duration.mts';
import { Random } from '../base/random.mts';

/** A rule that is to hit so many requests or webhooks is shown as one without end. */
export const ENDLESS = 100_000;

/** When a rule applies, whatever it does. */
export interface RuleLimits {
	/** How many it hits. */
	times: number;
	/** How many it lets pass before the first that it hits. */
	skip_first?: number | undefined;
	/** The probability that it hits, above 0 and at most 1; 1 when left out. */
	probability?: number | undefined;
	/** ISO 8601 duration, in sandbox time, after which the rule is gone. */
	ttl?: string | undefined;
	/** The preset that has the rule. */
	preset?: string | undefined;
}

/** A rule that is in force; `times` counts down. */
export type InForce<Rule> = Rule & {
	/** Counts upwards from 1, for rules of all kinds together. */
	id: number;
	/** Sandbox time, ISO 8601. */
	expires_at?: string;
};

/** A feature of subjects, and the value that a rule wants it to have. */
export interface Key<Subject> {
	/** Names the feature. The same name has the same `read`. */
	feature: string;
	/** Undefined when the subject does not have it. */
	read: (subject: Subject) => string | undefined;
	value: string;
}

/** How the rules of one kind choose what they hit. */
interface Selection<Rule, Subject> {
	matcher: (rule: Rule) => (subject: Subject) => boolean;
	/** A rule is compared only with subjects that have its key. Thousands of others cost nothing. */
	keyOf: (rule: Rule) => Key<Subject>;
}

interface Entry<Rule, Subject> {
	rule: InForce<Rule>;
	matches: (subject: Subject) => boolean;
	toSkip: number;
	/** Sandbox milliseconds. */
	expiresAt: number;
}

/** The rules whose keys have the same feature, by the value that they want. */
interface Index<Rule, Subject> {
	read: Key<Subject>['read'];
	entries: Map<string | undefined, Array<Entry<Rule, Subject>>>;
}

/** Always the same, so that runs are the same. */
const RANDOM_SEED = 4_290_500;

/** The rules of one kind that are in force. Kept in memory. */
export class RuleSet<Rule extends RuleLimits, Subject> {
	readonly #selection: Selection<Rule, Subject>;
	readonly #indexes = new Map<string, Index<Rule, Subject>>();
	#random = new Random(RANDOM_SEED);

	constructor(selection: Selection<Rule, Subject>) {
		this.#selection = selection;
	}

	/** @param now sandbox milliseconds */
	add(id: number, rule: Rule, now: number): InForce<Rule> {
		const expiresAt = rule.ttl === undefined ? Infinity : now + milliseconds(rule.ttl);
		const fault: InForce<Rule> = {
			id,
			...rule,
			...(rule.ttl !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
		};
		const matches = this.#selection.matcher(rule);
		this.#insert({ rule: fault, matches, toSkip: rule.skip_first ?? 0, expiresAt });
		return fault;
	}

	/** Remembers the rules as they are now. The function that it gives brings them back. */
	save(): () => void {
		const random = this.#random.state;
		const saved = this.#entries().map((entry) => ({
			entry,
			toSkip: entry.toSkip,
			times: entry.rule.times,
		}));
		return () => {
			this.clear();
			this.#random = new Random(random);
			for (const { entry, toSkip, times } of saved) {
				entry.toSkip = toSkip;
				entry.rule.times = times;
				this.#insert(entry);
			}
		};
	}

	#insert(entry: Entry<Rule, Subject>): void {
		const { feature, read, value } = this.#selection.keyOf(entry.rule);
		const index: Index<Rule, Subject> = this.#indexes.get(feature) ?? { read, entries: new Map() };
		this.#indexes.set(feature, index);
		const entries = index.entries.get(value) ?? [];
		entries.push(entry);
		index.entries.set(value, entries);
	}

	/** The oldest rule that hits the subject, and lowers its `times` by one; undefined when none does. */
	take(subject: Subject, now: number): InForce<Rule> | undefined {
		const hit = [...this.#indexes.values()]
			.flatMap(({ read, entries }) => entries.get(read(subject)) ?? [])
			.filter(({ matches }) => matches(subject))
			.filter(({ expiresAt }) => now < expiresAt)
			.sort((a, b) => a.rule.id - b.rule.id)
			.find((entry) => this.#isHit(entry));
		if (!hit) return undefined;
		hit.rule.times -= 1;
		if (hit.rule.times === 0) this.remove(hit.rule.id);
		return hit.rule;
	}

	/** The rules in force, in the order in which they were added. */
	list(now: number): Array<InForce<Rule>> {
		this.#keep(({ expiresAt }) => now < expiresAt);
		return this.#entries()
			.map(({ rule }) => rule)
			.sort((a, b) => a.id - b.id);
	}

	remove(id: number): void {
		this.#keep(({ rule }) => rule.id !== id);
	}

	/** Removes all rules and starts the random numbers again: the same rules hit the same subjects. */
	clear(): void {
		this.#indexes.clear();
		this.#random = new Random(RANDOM_SEED);
	}

	#entries(): Array<Entry<Rule, Subject>> {
		return [...this.#indexes.values()].flatMap(({ entries }) => [...entries.values()].flat());
	}

	#isHit(entry: Entry<Rule, Subject>): boolean {
		if (entry.toSkip > 0) {
			entry.toSkip -= 1;
			return false;
		}
		const { probability = 1 } = entry.rule;
		return probability === 1 || this.#random.next() < probability;
	}

	#keep(isKept: (entry: Entry<Rule, Subject>) => boolean): void {
		for (const [feature, { entries }] of this.#indexes) {
			for (const [value, all] of entries) {
				const kept = all.filter(isKept);
				if (kept.length > 0) entries.set(value, kept);
				else entries.delete(value);
			}
			if (entries.size === 0) this.#indexes.delete(feature);
		}
	}
}
