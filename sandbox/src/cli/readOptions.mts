import { parseArgs } from 'node:util';

import { InvalidInput } from '../base/invalidInput.mts';
import { parseJson } from '../base/parseJson.mts';
import { didYouMean } from '../base/nearest.mts';
import { SERVICES } from '../contract/serviceNames.mts';
import { CLOCK_MODES, MAX_SPEED } from '../runtime/clock.mts';
import { MAX_SCALE, WEATHERS } from '../weather/names.mts';
import { optionFaults } from './optionFaults.mts';
import { OPTIONS } from './options.mts';

/** What a number can be, in words and as a check. */
type NumberRule = [wanted: string, allows: (value: number) => boolean];

const wholeNumber = (low: number, high: number): NumberRule => [
	`a whole number from ${low} to ${high}`,
	(value) => Number.isInteger(value) && value >= low && value <= high,
];

const SPEED: NumberRule = [
	`a number above 0, at most ${MAX_SPEED}`,
	(value) => value > 0 && value <= MAX_SPEED,
];

const SCALE: NumberRule = [
	`a number above 0, at most ${MAX_SCALE}`,
	(value) => value > 0 && value <= MAX_SCALE,
];

/**
 * Reads the command line.
 *
 * @param args without the program
 * @returns what it asks for; undefined when it asks for help
 * @throws {InvalidInput} with every option that does not exist and every wrong value
 */
export function readOptions(args: string[]) {
	const types = Object.entries(OPTIONS).map(([name, { value }]) => {
		const type: 'string' | 'boolean' = value === undefined ? 'boolean' : 'string';
		return [name, { type, multiple: name === 'assume' }] as const;
	});
	const { values, tokens } = parseArgs({
		args,
		options: Object.fromEntries(types),
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	if (values['help'] === true) return undefined;

	const faults = tokens.flatMap((token, index) =>
		optionFaults(token, tokens[index - 1], OPTIONS, 'npm run sandbox -- --port 4020'),
	);
	if (faults.length > 0) throw new InvalidInput(faults.join('\n'));

	const text = (name: string): string | undefined => {
		const value = values[name];
		return typeof value === 'string' ? value : undefined;
	};
	const number = (name: string, [wanted, allows]: NumberRule) => {
		const given = text(name);
		if (given === undefined) return undefined;
		const value = given.trim() === '' ? NaN : Number(given);
		if (!allows(value)) faults.push(`--${name} takes ${wanted}, not "${given}".`);
		return value;
	};
	const clock = text('clock') ?? 'real';
	const mode = CLOCK_MODES.find((known) => known === clock);
	if (!mode) {
		const known = CLOCK_MODES.join(', ');
		faults.push(`--clock takes ${known}; not "${clock}".${didYouMean(clock, CLOCK_MODES)}`);
	} else if (values['speed'] !== undefined && mode !== 'accelerated') {
		faults.push(`--speed is for --clock accelerated; the clock is ${mode}.`);
	}
	const weather = text('weather') ?? 'fair';
	if (!WEATHERS.some((known) => known === weather)) {
		faults.push(`--weather takes ${WEATHERS.join(' or ')}, not "${weather}".`);
	} else if (values['weather-scale'] !== undefined && weather === 'fair') {
		faults.push('--weather-scale is for --weather ordinary.');
	}
	const service = SERVICES.find((known) => known === (text('service') ?? 'contract'));
	if (!service) faults.push(`--service takes ${SERVICES.join(' or ')}, not "${text('service')}".`);
	const scale = number('weather-scale', SCALE);
	const assume = [values['assume'] ?? []].flat().map((each) => readAssumption(String(each)));
	faults.push(...assume.flatMap(({ fault }) => fault ?? []));

	const options = {
		json: values['json'] === true,
		watch: values['watch'] === true,
		port: number('port', wholeNumber(0, 65_535)),
		host: text('host'),
		callSpeed: number('call-speed', SPEED),
		seed: text('seed'),
		dataFile: text('data'),
		clock: { mode: mode ?? 'real', speed: number('speed', SPEED) },
		weather: weather === 'ordinary' ? { scale } : ('fair' as const),
		service,
		assumeFile: text('assume-file'),
		assume: Object.fromEntries(assume.map(({ key, value }) => [key, value])),
	};
	if (faults.length > 0) throw new InvalidInput(faults.join('\n'));
	return options;
}

/** `key=value`: the value is JSON, or text where it is none. */
function readAssumption(text: string): { key: string; value: unknown; fault?: string } {
	const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
	if (key === undefined || value === undefined) {
		return { key: '', value, fault: `--assume takes KEY=VALUE, not "${text}".` };
	}
	return { key, value: parseJson(value, value) };
}
