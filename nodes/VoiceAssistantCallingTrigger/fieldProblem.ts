import type { IHookFunctions, INodeProperties } from 'n8n-workflow';

import { findWrongField, isIdField } from '../shared/fields/findWrongField';
import { shortText } from '../shared/fields/values';
import { isRecord } from '../shared/values/json';
import type { CallEvent } from './events';
import { checkFallback } from './fallback';
import { callsField, filterFields, optionFields } from './fields';
import { leaveOutField } from './leaveOut';

const getMembers = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter((option): option is INodeProperties => 'displayName' in option);

/** The first field with a wrong value: its label, and what is wrong. An empty one changes and drops nothing. */
function firstWrong(
	fields: INodeProperties[],
	entered: unknown,
): { label: string; problem: string } | undefined {
	const wrong = findWrongField(fields, isRecord(entered) ? entered : {}, () => false);
	if (!wrong) return undefined;
	const { field, label, value } = wrong;
	const problem = isIdField(field) ? 'must be an ID, a whole number from 1' : wrong.problem;
	const isList = field.type === 'multiOptions' && Array.isArray(value);
	const shown = isList ? value.map(shortText).join(', ') : value;
	return { label, problem: `${problem} (the value is: ${shortText(shown)}).` };
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
	event: Pick<CallEvent, 'settings' | 'isAnswered'>,
): string | undefined {
	// n8n has no value of a field that it does not show.
	const entered = (name: string) => context.getNodeParameter(name, '');
	const { isAnswered } = event;
	if (isAnswered) checkFallback(context);
	const filter = !isAnswered && firstWrong(getMembers(filterFields), entered('filters'));
	if (filter) {
		return `The filter '${filter.label}' ${filter.problem} Correct the filter.`;
	}
	const concerned = getMembers(optionFields).filter(
		({ name }) =>
			name === 'replaceExisting' ||
			name in event.settings ||
			name === (isAnswered ? 'startWhenLate' : 'repeatedDeliveries'),
	);
	const option = firstWrong(concerned, entered('options'));
	if (option) {
		return `The option '${option.label}' ${option.problem} Correct the option.`;
	}
	const values = { calls: entered('calls'), leaveOut: entered('leaveOut') };
	const field = !isAnswered && firstWrong([callsField, leaveOutField], values);
	return field ? `'${field.label}' ${field.problem} Correct the field.` : undefined;
}
