import { fileURLToPath } from 'node:url';

import { InvalidInput } from '../base/invalidInput.mts';
import {
	loadAssumptions,
	readAssumeFile,
	type Assumptions,
	type ChosenAssumptions,
} from '../contract/assumptions.mts';
import { MAX_SCALE, type WeatherName } from './names.mts';

/** Ordinary weather, with other times or other chances. */
export interface WeatherOptions {
	/** The factor of its times: with 0.1, a change takes 50 to 400 ms. The rate limit keeps its own. */
	scale?: number | undefined;
	/** Which chances are drawn. */
	seed?: number | undefined;
}

/** Always the same, so that runs are the same. */
const DEFAULT_SEED = 20_260_302;

const ORDINARY = fileURLToPath(new URL('ordinary.yaml', import.meta.url));

/**
 * The weather at its start.
 *
 * @param weather ordinary weather unless it is `fair`
 * @param chosen values of assumptions that win over those of the weather
 * @throws {InvalidInput} when the scale is not possible, and as loadAssumptions
 */
export async function loadWeather(
	weather: WeatherName | WeatherOptions,
	chosen: ChosenAssumptions,
): Promise<Weather> {
	const { scale = 1, seed = DEFAULT_SEED } = typeof weather === 'string' ? {} : weather;
	const begin = { name: weather === 'fair' ? 'fair' : 'ordinary', scale } as const;
	requireScale(scale);
	const values = {
		fair: await loadAssumptions(chosen),
		ordinary: await loadAssumptions({ ...(await readAssumeFile(ORDINARY)), ...chosen }),
	};
	return new Weather(values, begin, seed);
}

interface WeatherState {
	name: WeatherName;
	scale: number;
}

/** Which values of the assumptions hold now. */
export class Weather {
	/** For `drawn`. */
	readonly seed: number;
	readonly #values: { [name in WeatherName]: Assumptions };
	readonly #begin: WeatherState;
	#state: WeatherState;
	/** The values in force. The object stays the same when the weather changes. */
	readonly assumptions: Assumptions;

	constructor(values: { [name in WeatherName]: Assumptions }, begin: WeatherState, seed: number) {
		this.seed = seed;
		this.#values = values;
		this.#begin = begin;
		this.#state = begin;
		this.assumptions = { ...this.#inForce() };
	}

	get name(): WeatherName {
		return this.#state.name;
	}

	get scale(): number {
		return this.#state.scale;
	}

	/** @throws {InvalidInput} when the scale is not possible */
	change(name: WeatherName, scale: number = this.#state.scale): void {
		requireScale(scale);
		this.#state = { name, scale };
		Object.assign(this.assumptions, this.#inForce());
	}

	/** Goes back to the weather of the start. */
	restart(): void {
		this.change(this.#begin.name, this.#begin.scale);
	}

	#inForce(): Assumptions {
		const { name, scale } = this.#state;
		return name === 'fair' ? this.#values.fair : scaled(this.#values.ordinary, scale);
	}
}

/** The assumptions with the times of the weather multiplied; the rate limit is a number of requests. */
function scaled(assumptions: Assumptions, scale: number): Assumptions {
	const { 'read-time': read, 'change-time': change, 'call-result-time': result } = assumptions;
	const span = ({ from, to }: { from: number; to: number }) => ({
		from: from * scale,
		to: to * scale,
	});
	return {
		...assumptions,
		'read-time': read && span(read),
		'change-time': change && {
			...span(change),
			...(change.slow && { slow: { ...change.slow, time: change.slow.time * scale } }),
		},
		'call-result-time': result && span(result),
	};
}

function requireScale(scale: number): void {
	if (scale > 0 && scale <= MAX_SCALE) return;
	throw new InvalidInput(`The scale of the weather must be above 0, at most ${MAX_SCALE}.`);
}
