import type { INodeProperties } from 'n8n-workflow';

import { isId } from '../shared/client/ids';
import { asText, isRecord } from '../shared/client/json';
import { chosenValues } from '../shared/calls/chosenValues';
import type { CallFilters } from '../shared/calls/passesFilters';
import { optionsProblem } from '../shared/fields/optionsProblem';
import { filterFields } from './filterFields';

const fields = (filterFields.options ?? []).filter(
	(option): option is INodeProperties => 'displayName' in option,
);

/** What is wrong with the value of a filter, or undefined. An empty filter lets every call pass. */
function problemOf(field: INodeProperties, value: unknown): string | undefined {
	const { name, type } = field;
	if (type === 'multiOptions') return optionsProblem(field, chosenValues(value));
	if (asText(value) === '') return undefined;
	if (name === 'campaignId')
		return isId(value) ? undefined : 'must be an ID, a whole number from 1';
	return Number(value) >= 0 ? undefined : 'must be a number from 0';
}

/**
 * Checks the filters before the trigger is registered, because a wrong one could drop calls.
 *
 * @returns the message for the first wrong filter, or undefined
 */
export function filterProblem(filters: CallFilters): string | undefined {
	for (const field of fields) {
		const value = filters[field.name as keyof CallFilters];
		const problem = problemOf(field, value);
		if (problem) {
			const given = isRecord(value) ? '' : ` The value is: ${chosenValues(value).join(', ')}.`;
			return `The filter '${field.displayName}' ${problem}.${given} Correct the filter, then publish again.`;
		}
	}
	return undefined;
}
