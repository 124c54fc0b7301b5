import type { INodeProperties } from 'n8n-workflow';

const isNumeric = (value: unknown) =>
	typeof value === 'number'
		? Number.isFinite(value)
		: typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim());

export const WITHOUT_RESULT = 'has the result of a calculation that has none (NaN or Infinity)';

/** Whether a number is that of a calculation without a result. JSON would make null of it. */
export const isWithoutResult = (value: unknown): boolean =>
	typeof value === 'number' && !Number.isFinite(value);

/**
 * Finds a calculation without a result in an object or a list.
 *
 * @returns its place, such as `order.total`; undefined when there is none
 */
export function findWithoutResult(content: object, within: object[] = []): string | undefined {
	// An expression can give an object that is in itself. It cannot be sent in any case.
	if (within.includes(content)) return undefined;
	for (const [name, value] of Object.entries(content) as Array<[string, unknown]>) {
		if (isWithoutResult(value)) return name;
		const inner =
			typeof value === 'object' && value !== null
				? findWithoutResult(value, [...within, content])
				: undefined;
		if (inner !== undefined) return `${name}.${inner}`;
	}
	return undefined;
}

/** What is wrong with the value of a number field, or undefined: it *must be a whole number from 1 to 30*. */
export function numberProblem(
	value: unknown,
	{ typeOptions }: INodeProperties,
): string | undefined {
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions ?? {};
	const isWhole = numberPrecision === 0;
	const number = isNumeric(value) ? Number(value) : NaN;
	const isInside = number >= minValue && number <= maxValue;
	if (isInside && (!isWhole || Number.isInteger(number))) return undefined;
	const upTo = maxValue === Infinity ? '' : ` to ${maxValue}`;
	return `must be ${isWhole ? 'a whole number' : 'a number'} from ${minValue}${upTo}`;
}
