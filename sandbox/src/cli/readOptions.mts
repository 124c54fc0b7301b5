import { parseArgs } from 'node:util';

import { InvalidInput } from '../base/invalidInput.mts';
import { didYouMean } from '../base/nearest.mts';
import { CLOCK_MODES, MAX_SPEED } from '../runtime/clock.mts';
import { OPTIONS, optionList } from './options.mts';

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/** What a number can be, in words and as a check. */
interface NumberRule {
	wanted: string;
	allows: (value: number) => boolean;
}

const PORT: NumberRule = {
	wanted: 'a whole number from 0 to 65535',
	allows: (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
};

const COUNT: NumberRule = {
	wanted: 'a whole number from 1 to 1000000',
	allows: (value) => Number.isInteger(value) && value >= 1 && value <= 1_000_000,
};

const SPEED: NumberRule = {
	wanted: `a number above 0, at most ${MAX_SPEED}`,
	allows: (value) => value > 0 && value <= MAX_SPEED,
};

/**
 * Reads the command line.
 *
 * @param args without the program
 * @returns what it asks for; undefined when it asks for help
 * @throws {InvalidInput} with every option that does not exist and every wrong value
 */
export function readOptions(args: string[]) {
	const { values, tokens } = parseArgs({
		args,
		options: OPTIONS,
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	if (values.help === true) return undefined;

	const faults = tokens.flatMap((token, index) => faultsOf(token, tokens[index - 1]));
	if (faults.length > 0) throw new InvalidInput(faults.join('\n'));

	const number = (
		name: 'port' | 'traffic' | 'speed' | 'call-speed',
		rule: NumberRule,
	): number | undefined => {
		const text = values[name];
		if (text === undefined) return undefined;
		const value = String(text).trim() === '' ? NaN : Number(text);
		if (!rule.allows(value)) faults.push(`--${name} takes ${rule.wanted}, not "${text}".`);
		return value;
	};
	const mode = CLOCK_MODES.find((known) => known === values.clock);
	if (!mode) {
		const clock = String(values.clock);
		const known = CLOCK_MODES.join(', ');
		faults.push(`--clock takes ${known}; not "${clock}".${didYouMean(clock, CLOCK_MODES)}`);
	} else if (values.speed !== undefined && mode !== 'accelerated') {
		faults.push(`--speed is for --clock accelerated; the clock is ${mode}.`);
	}
	const assume = (values.assume ?? []).map((text) => readAssumption(String(text)));
	faults.push(...assume.flatMap(({ fault }) => fault ?? []));

	const options = {
		json: values.json === true,
		watch: values.watch === true,
		port: number('port', PORT),
		host: textOf(values.host),
		callSpeed: number('call-speed', SPEED),
		seed: textOf(values.seed),
		dataFile: textOf(values.data),
		traffic: number('traffic', COUNT),
		clock: { mode: mode ?? 'real', speed: number('speed', SPEED) },
		assume: Object.fromEntries(assume.map(({ key, value }) => [key, value])),
	};
	if (faults.length > 0) throw new InvalidInput(faults.join('\n'));
	return options;
}

/** What is wrong with one part of the command line, whatever its value is. */
function faultsOf(token: Token, before: Token | undefined): string[] {
	if (token.kind === 'positional') {
		// What follows a wrong option is its value, or that of an option it swallowed.
		const isValue = before?.kind === 'option' && faultsOf(before, undefined).length > 0;
		if (isValue) return [];
		return [
			`"${token.value}" belongs to no option. With npm, options come after "--", as in: npm run sandbox -- --port 4020`,
		];
	}
	if (token.kind !== 'option') return [];
	const { name, rawName, value } = token;
	const [, option] = optionList.find(([known]) => known === name) ?? [];
	if (!option) {
		const known = optionList.map(([each]) => each);
		return [`There is no option ${rawName}.${didYouMean(name, known, '--')}`];
	}
	if (option.type === 'boolean') return value === undefined ? [] : [`${rawName} takes no value.`];
	// The next option is no value: its own was forgotten.
	const isForgotten = value === undefined || (!token.inlineValue && value.startsWith('--'));
	return isForgotten ? [`${rawName} needs a value: ${rawName} ${option.value}`] : [];
}

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' ? value : undefined;

/** `key=value`: the value is JSON, or text where it is none. */
function readAssumption(text: string): { key: string; value: unknown; fault?: string } {
	const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
	if (key === undefined || value === undefined) {
		return { key: '', value, fault: `--assume takes KEY=VALUE, not "${text}".` };
	}
	try {
		return { key, value: JSON.parse(value) };
	} catch {
		return { key, value };
	}
}
