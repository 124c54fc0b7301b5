import { parseArgs } from 'node:util';

import { InvalidInput } from '../../base/invalidInput.mts';
import { LEVELS, type Level } from '../../verify/check.mts';
import { optionFaults } from '../optionFaults.mts';
import { TOKEN_VARIABLE } from '../tokenVariable.mts';
import { VERIFY_OPTIONS } from './options.mts';

const EXAMPLE = 'npm run verify -- --base-url https://voice.example.com/api';

/** A token in the command line would be in the history of the shell. */
const TOKEN_ARGUMENT = `The token is no option. Put it into ${TOKEN_VARIABLE}, or leave it out to be asked for it.`;

export interface VerifyOptions {
	/** Without a slash at its end. */
	baseUrl: string;
	levels: readonly Level[];
	/** The folder for the reports. */
	report: string | undefined;
}

/**
 * Reads the command line of `verify`.
 *
 * @param args behind `verify`
 * @returns undefined when it asks for help
 * @throws {InvalidInput} with everything that is wrong
 */
export function readVerifyOptions(args: string[]): VerifyOptions | undefined {
	const types = Object.entries(VERIFY_OPTIONS).map(([name, { value }]) => {
		const type: 'string' | 'boolean' = value === undefined ? 'boolean' : 'string';
		return [name, { type }] as const;
	});
	const { values, tokens } = parseArgs({
		args,
		options: Object.fromEntries(types),
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	if (values['help'] === true) return undefined;

	if (values['token'] !== undefined) throw new InvalidInput(TOKEN_ARGUMENT);
	const faults = tokens.flatMap((token, index) =>
		optionFaults(token, tokens[index - 1], VERIFY_OPTIONS, EXAMPLE),
	);
	if (faults.length > 0) throw new InvalidInput(faults.join('\n'));

	const baseUrl = readBaseUrl(values['base-url']);
	const { report } = values;
	return {
		baseUrl,
		levels: LEVELS.filter((level) => ALWAYS.has(level) || values[level] !== undefined),
		report: typeof report === 'string' ? report : undefined,
	};
}

/** Levels that are part of each other one. */
const ALWAYS: ReadonlySet<Level> = new Set(['address', 'read']);

/**
 * The Base URL without a slash at its end, with https where it names no scheme.
 *
 * @throws {InvalidInput} that says what a Base URL is
 */
function readBaseUrl(value: unknown): string {
	if (typeof value !== 'string') throw new InvalidInput(`--base-url is missing, as in: ${EXAMPLE}`);
	const text = value.trim();
	const url = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
	const { protocol, username, password, origin, pathname, search, hash } = URL.canParse(url)
		? new URL(url)
		: new URL('invalid:');
	if (!/^https?:$/.test(protocol) || username + password + search + hash !== '') {
		throw new InvalidInput(
			`--base-url takes the address of the API, without user, "?" and "#", as in: ${EXAMPLE}`,
		);
	}
	return `${origin}${pathname}`.replace(/\/+$/, '');
}
