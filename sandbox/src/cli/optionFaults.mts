import type { parseArgs } from 'node:util';

import { didYouMean } from '../base/nearest.mts';
import type { Option } from './options.mts';

export type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/**
 * What is wrong with one part of a command line, whatever its value is.
 *
 * @param before the part before it
 * @param options all options, by name
 * @param example a command line with an option
 */
export function optionFaults(
	token: Token,
	before: Token | undefined,
	options: { [name: string]: Option },
	example: string,
): string[] {
	if (token.kind === 'positional') {
		// What follows a wrong option is its value, or that of an option it swallowed.
		const isValue =
			before?.kind === 'option' && optionFaults(before, undefined, options, example).length > 0;
		if (isValue) return [];
		return [
			`"${token.value}" belongs to no option. With npm, options come after "--", as in: ${example}`,
		];
	}
	if (token.kind !== 'option') return [];
	const { name, rawName, value } = token;
	const option = Object.hasOwn(options, name) ? options[name] : undefined;
	if (!option) {
		return [`There is no option ${rawName}.${didYouMean(name, Object.keys(options), '--')}`];
	}
	if (option.value === undefined) return value === undefined ? [] : [`${rawName} takes no value.`];
	// The next option is no value: its own was forgotten.
	const isForgotten = value === undefined || (!token.inlineValue && value.startsWith('--'));
	return isForgotten ? [`${rawName} needs a value: ${rawName} ${option.value}`] : [];
}
