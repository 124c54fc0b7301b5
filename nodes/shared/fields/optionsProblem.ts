import type { INodeProperties } from 'n8n-workflow';

/**
 * What is wrong with the values of a field of the type multiOptions. An expression can give any value, and
 * n8n does not check it (2.0, 2.41).
 *
 * @param field its description
 * @param values that the user chose
 * @returns a part of a sentence, or undefined when all of them are options
 */
export function optionsProblem(field: INodeProperties, values: unknown[]): string | undefined {
	const { options = [] } = field;
	const known: unknown[] = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const isKnown = values.every((value) => known.includes(value));
	return isKnown ? undefined : `must be one or more of: ${known.join(', ')}`;
}
