import * as z from 'zod';

import { durationText, milliseconds } from '../base/duration.mts';
import { Random } from '../base/random.mts';

/** A rule that is to hit so many requests or webhooks is shown as one without end. */
export const ENDLESS = 100_000;

/** When a rule applies, whatever it does. */
export const limits = {
	times: z.number().int().min(1).default(1).describe('How many it hits.'),
	skip_first: z.number().int().min(0).optional().describe('How many pass before the first hit.'),
	probability: z
		.number()
		.positive()
		.max(1)
		.optional()
		.describe('The probability that it hits one that matches.'),
	ttl: durationText.optional().describe('How long it stays, in sandbox time (ISO 8601).'),
};

type Limits = z.output<z.ZodObject<typeof limits>>;

/** Refuses a rule that does nothing: a value without effect is `undefined`, `false`, or 0 milliseconds. */
export function requireEffect(
	rule: { [field: string]: unknown },
	effects: readonly string[],
	{ addIssue }: z.RefinementCtx,
	what: string,
): void {
	const hasEffect = effects.some((name) => {
		const value = rule[name];
		return name.endsWith('_ms') ? Boolean(value) : value !== undefined && value !== false;
	});
	if (hasEffect) return;
	const names = `${effects.slice(0, -1).join(', ')} or ${effects.at(-1)}`;
	addIssue({ code: 'custom', path: [], message: `${what} needs ${names}.` });
}

/** A rule that is in force; `times` counts down. */
export type InForce<Rule> = Rule & {
	/** Counts upwards from 1, for rules of all kinds together. */
	id: number;
	/** The preset that has the rule. */
	preset?: string;
	/** Sandbox time, ISO 8601. */
	expires_at?: string;
};

interface Entry<Rule> {
	rule: InForce<Rule>;
	toSkip: number;
	/** Sandbox milliseconds. */
	expiresAt: number;
}

/** Always the same, so that runs are the same. */
const RANDOM_SEED = 4_290_500;

/** The rules of one kind that are in force, the oldest first. Kept in memory. */
export class RuleSet<Rule extends Limits, Subject> {
	/** Whether a rule is about a subject. */
	readonly #matches: (rule: Rule, subject: Subject) => boolean;
	#entries: Array<Entry<Rule>> = [];
	#random = new Random(RANDOM_SEED);

	constructor(matches: (rule: Rule, subject: Subject) => boolean) {
		this.#matches = matches;
	}

	/** @param now sandbox milliseconds */
	add(id: number, rule: Rule, now: number): InForce<Rule> {
		const { ttl, skip_first: toSkip = 0 } = rule;
		const expiresAt = ttl === undefined ? Infinity : now + milliseconds(ttl);
		const end = ttl !== undefined && { expires_at: new Date(expiresAt).toISOString() };
		const fault: InForce<Rule> = { id, ...rule, ...end };
		this.#entries.push({ rule: fault, toSkip, expiresAt });
		return fault;
	}

	/** Remembers the rules as they are now. The function that it gives brings them back. */
	save(): () => void {
		const random = this.#random.state;
		const saved = this.#entries.map((entry) => ({ ...entry, rule: { ...entry.rule } }));
		return () => {
			this.#random = new Random(random);
			this.#entries = saved;
		};
	}

	/** The oldest rule that hits the subject, and lowers its `times` by one; undefined when none does. */
	take(subject: Subject, now: number): InForce<Rule> | undefined {
		const hit = this.#entries.find(
			(entry) => now < entry.expiresAt && this.#matches(entry.rule, subject) && this.#isHit(entry),
		);
		if (!hit) return undefined;
		hit.rule.times -= 1;
		if (hit.rule.times === 0) this.remove(hit.rule.id);
		return hit.rule;
	}

	/** The rules in force, in the order in which they were added. */
	list(now: number): Array<InForce<Rule>> {
		this.#entries = this.#entries.filter(({ expiresAt }) => now < expiresAt);
		return this.#entries.map(({ rule }) => rule);
	}

	/** Removes one rule. Nothing happens when it is not in force. */
	remove(id: number): void {
		this.#entries = this.#entries.filter(({ rule }) => rule.id !== id);
	}

	/** Removes all rules and starts the random numbers again: the same rules hit the same subjects. */
	clear(): void {
		this.#entries = [];
		this.#random = new Random(RANDOM_SEED);
	}

	#isHit(entry: Entry<Rule>): boolean {
		if (entry.toSkip > 0) {
			entry.toSkip -= 1;
			return false;
		}
		const { probability = 1 } = entry.rule;
		return probability === 1 || this.#random.next() < probability;
	}
}
