import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isOn } from '../../shared/fields/booleans';
import { datesAsText } from '../../shared/fields/dates';
import { INPUT_ITEM, type Field } from './routing';

/** Values of fields by their names, with all expressions evaluated. */
export type Values = Record<string, unknown>;

/** Stands for the value of a condition: whether an AI agent uses the node (n8n.md#conditions-of-tools). */
export const IS_TOOL = '@tool';

/** Whether an AI agent uses the node: n8n appends `Tool` to its type. */
export const isUsedAsTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');

/** Whether the field is on the screen: *Limit* is there when *Return All* is off. */
export function isShown({ displayOptions }: Field, values: Values): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const holds = ([name, wanted = []]: [string, unknown[]?]) =>
		wanted.includes(values[name]) || wanted.includes(isOn(values[name]));
	return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
}

/** n8n tells why an expression failed, but not in which field. */
function failedExpression(label: string, error: unknown): InvalidInput {
	const message = error instanceof Error ? error.message : String(error);
	return new InvalidInput({
		message,
		nextStep: `Check the expression in '${label}'. Nothing was sent for this item.`,
		errors: { [label]: [message] },
	});
}

/**
 * Reads a field of an item, with dates as text.
 *
 * @param path of the field, if it is in a collection
 * @throws {InvalidInput} in n8n's words, with the name of the field, when its expression fails
 */
export function readValue(
	context: Pick<IExecuteFunctions, 'getNodeParameter'>,
	field: Field,
	item: number,
	path = field.name,
): unknown {
	try {
		return datesAsText(context.getNodeParameter(path, item, field.default));
	} catch (error) {
		throw failedExpression(field.displayName, error);
	}
}

/**
 * Reads the fields of an item, with dates as text. Each field is read once and as a whole: each time, n8n
 * evaluates all expressions in it, which takes 0.2 to 0.7 ms for each expression (n8n.md#cost-of-an-expression).
 *
 * @param fields in the order of the screen: a field comes after the field that shows it
 * @throws {InvalidInput} in n8n's words, with the name of the field, when an expression fails
 */
export function readValues(
	context: Pick<IExecuteFunctions, 'getInputData' | 'getNode' | 'getNodeParameter'>,
	fields: Field[],
	item: number,
): Values {
	const values: Values = { [IS_TOOL]: isUsedAsTool(context.getNode()) };
	for (const field of fields) {
		if (!isShown(field, values)) continue;
		if (field.default === INPUT_ITEM) {
			values[field.name] = context.getInputData()[item]?.json;
			continue;
		}
		values[field.name] = readValue(context, field, item);
	}
	return values;
}
