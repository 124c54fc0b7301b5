import { milliseconds } from '../../base/duration.mts';
import type { Random } from '../../base/random.mts';
import type { Mix } from '../../store/records.mts';
import {
	TRANSCRIPT_KINDS,
	type Scenario,
	type ScenarioDefinitions,
	type Step,
} from './scenarioFormat.mts';

/** The scenario of a call for which a tool is chosen, and nothing else. */
export const TOOL_CALL = 'tool-call';

const DEFAULT_SCENARIO = 'answered';

/** All scenarios of a sandbox: the built-in ones, and those of its seed. */
export class Scenarios {
	/** Their names, the built-in ones first. */
	readonly names: string[];
	readonly #scenarios: Map<string, Scenario>;
	/** Milliseconds before each step after `initiated`. */
	readonly #waits: Map<string, number[]>;
	readonly #byEnding: Array<[ending: string, name: string]>;

	/** @param added scenarios of the seed, whose number endings count before the built-in ones */
	constructor(builtIn: ScenarioDefinitions, added: ScenarioDefinitions) {
		const all = [...Object.entries(builtIn), ...Object.entries(added)];
		this.names = all.map(([name]) => name);
		this.#scenarios = new Map(all);
		this.#waits = new Map(
			all.map(([name, { steps }]) => [name, steps.map(({ after }) => milliseconds(after))]),
		);
		this.#byEnding = [...Object.entries(added), ...Object.entries(builtIn)].flatMap(
			([name, { number_ending: ending }]): Array<[string, string]> =>
				ending === undefined ? [] : [[ending, name]],
		);
	}

	/** The scenario with this name, or undefined. */
	get(name: string): Scenario | undefined {
		return this.#scenarios.get(name);
	}

	/** A scenario in plain words, with its name behind them: "Nobody answers (no-answer)". */
	title(name: string): string {
		const title = this.get(name)?.title;
		return title === undefined ? name : `${title} (${name})`;
	}

	/** The step of a scenario after `initiated`, counted from 1, or undefined after its last. */
	step(name: string, index: number): Step | undefined {
		return this.get(name)?.steps[index - 1];
	}

	/** Milliseconds from the step before to this one. */
	waitBefore(name: string, index: number): number {
		return this.#waits.get(name)?.[index - 1] ?? 0;
	}

	/** Whether the assistant calls a tool in it. */
	callsTool(name: string): boolean {
		return this.get(name)?.steps.some((step) => step.calls_tool) ?? false;
	}

	/** Whether the customer says values for the assistant's `post_call_schema` in it. */
	collectsValues(name: string): boolean {
		const scenario = this.get(name);
		const isAnswered = scenario?.steps.some((step) => step.status === 'in-progress');
		return isAnswered === true && TRANSCRIPT_KINDS[scenario?.transcript ?? 'mailbox'].collects;
	}

	/** The scenario of a call that nothing else was chosen for: by number, by mix, or the default. */
	choose(phoneNumber: string, mix: Mix | null, random: Random): string {
		const found = this.#byEnding.find(([ending]) => phoneNumber.endsWith(ending));
		if (found) return found[1];
		return mix ? draw(mix, random) : DEFAULT_SCENARIO;
	}

	/** What is wrong with this name; undefined when there is such a scenario. */
	unknownScenario(name: string): string | undefined {
		return this.#scenarios.has(name)
			? undefined
			: `There is no scenario "${name}". There are: ${this.names.join(', ')}.`;
	}
}

/** One name of the mix, the more probable the higher its weight. */
function draw(mix: Mix, random: Random): string {
	const weights = Object.entries(mix).filter(([, weight]) => weight > 0);
	const sum = weights.reduce((total, [, weight]) => total + weight, 0);
	let rest = random.next() * sum;
	const found = weights.find(([, weight]) => (rest -= weight) < 0);
	return (found ?? weights.at(-1))?.[0] ?? DEFAULT_SCENARIO;
}
