import type { IHookFunctions, INodeProperties } from 'n8n-workflow';

import { isId } from '../shared/client/ids';
import { isRecord } from '../shared/client/json';
import { booleanProblem } from '../shared/fields/booleans';
import { isEmpty } from '../shared/fields/isEmpty';
import { optionsProblem } from '../shared/fields/optionsProblem';
import { shortText } from '../shared/fields/shortText';
import type { CallEvent } from './events';
import { filterFields } from './filterFields';
import { leaveOutField } from './leaveOut';
import { optionFields } from './optionFields';

const membersOf = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter((option): option is INodeProperties => 'displayName' in option);

function numberProblem(value: unknown): string | undefined {
	const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const isInRange = Number.isFinite(Number(value)) && Number(value) >= 0;
	return isNumeric && isInRange ? undefined : 'must be a number from 0';
}

/** What is wrong with the value of a field, or undefined. An empty one changes and drops nothing. */
function problemOf(value: unknown, field: INodeProperties): string | undefined {
	if (isEmpty(value)) return undefined;
	switch (field.type) {
		case 'multiOptions':
			return optionsProblem(field, [value].flat());
		case 'boolean':
			return booleanProblem(value);
		case 'number':
			return numberProblem(value);
		default:
			return isId(value) ? undefined : 'must be an ID, a whole number from 1';
	}
}

/** The first field with a wrong value: its label, and what is wrong. */
function firstWrong(
	fields: INodeProperties[],
	entered: unknown,
): { label: string; problem: string } | undefined {
	const values = isRecord(entered) ? entered : {};
	for (const field of fields) {
		const value = values[field.name];
		const problem = problemOf(value, field);
		if (problem) {
			const isList = field.type === 'multiOptions' && Array.isArray(value);
			const shown = isList ? value.map(shortText).join(', ') : value;
			const { displayName: label } = field;
			return { label, problem: `${problem}. The value is: ${shortText(shown)}.` };
		}
	}
	return undefined;
}

/**
 * Checks what expressions give before the trigger is registered: a wrong filter could drop calls, a wrong
 * option could change a setting of the assistant to its opposite, and what a wrong *Leave Out* means to
 * leave out would be stored.
 *
 * @param event that the trigger is registered for. Options that do not concern it are not checked
 * @returns the message for the first wrong field, or undefined
 */
export function fieldProblem(
	context: IHookFunctions,
	event: Pick<CallEvent, 'settings'>,
): string | undefined {
	const entered = (name: string) => context.getNodeParameter(name);
	const filter = firstWrong(membersOf(filterFields), entered('filters'));
	if (filter) {
		return `The filter '${filter.label}' ${filter.problem} Correct the filter, then publish again.`;
	}
	const concerned = membersOf(optionFields).filter(
		({ name }) => name === 'replaceExisting' || name in event.settings,
	);
	const option = firstWrong(concerned, entered('options'));
	if (option) {
		return `The option '${option.label}' ${option.problem} Correct the option, then publish again.`;
	}
	const field = firstWrong([leaveOutField], { leaveOut: entered('leaveOut') });
	return field && `'${field.label}' ${field.problem} Correct the field, then publish again.`;
}
