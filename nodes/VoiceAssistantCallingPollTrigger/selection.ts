import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { chosenAssistants } from '../shared/assistants/chosenAssistants';
import { isChosen } from '../shared/calls/isChosen';
import { InvalidInput } from '../shared/client/errors';
import { optionsProblem } from '../shared/fields/findWrongField';
import { numberProblem } from '../shared/fields/numbers';
import { isEmpty, shortText } from '../shared/fields/values';
import { isId } from '../shared/values/ids';
import { asText } from '../shared/values/json';
import { callTypesField, statusesField, waitAfterEndField } from './fields';

/**
 * Whose calls to read. Call records name neither their assistant nor their campaign by ID (contract:
 * Call record), so each pair is read on its own. Undefined means any.
 */
export interface CallQuery {
	assistantId?: number;
	campaignId?: number;
}

/** The calls that start the workflow. */
export interface Selection {
	queries: CallQuery[];
	/** Whether a finished call passes the filters. */
	matches: (call: IDataObject) => boolean;
	/** How long a call waits after a poll first saw it over, in milliseconds. */
	waitAfterEndMs: number;
}

/** What an expression can give: a list, a number, or a text with commas. */
const toTexts = (value: unknown): string[] =>
	(Array.isArray(value) ? (value as unknown[]) : [value])
		.flatMap((entry) => asText(entry).split(','))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');

function chosenCampaigns(context: IPollFunctions): number[] {
	const entered = toTexts(context.getNodeParameter('campaignIds', ''));
	const wrong = entered.find((id) => !isId(id));
	if (wrong !== undefined) {
		throw new InvalidInput({
			message: `'Campaign IDs' must have IDs, whole numbers from 1, with commas between them. One value is: ${wrong}`,
			nextStep: 'Correct the field, or leave it empty for all campaigns.',
		});
	}
	return [...new Set(entered.map(Number))];
}

/** None chosen means any: one query without the filter. */
const orAnyId = (ids: number[]): Array<number | undefined> => (ids.length > 0 ? ids : [undefined]);

const refusal = (kind: 'filter' | 'option', { displayName }: INodeProperties, problem: string) =>
	new InvalidInput({
		message: `The ${kind} '${displayName}' ${problem}`,
		nextStep: `Correct the ${kind}, then publish again.`,
	});

/** The values that a user chose in a filter. */
function chosenIn(context: IPollFunctions, filter: INodeProperties): string[] {
	const chosen = toTexts(context.getNodeParameter(`filters.${filter.name}`, []));
	const problem = optionsProblem(chosen, filter);
	if (problem) throw refusal('filter', filter, `${problem}. The value is: ${chosen.join(', ')}`);
	return chosen;
}

/** @returns seconds */
function getWaitAfterEnd(context: IPollFunctions): number {
	const value = context.getNodeParameter(`options.${waitAfterEndField.name}`, 0);
	// An expression can leave it empty.
	if (isEmpty(value)) return 0;
	const problem = numberProblem(value, waitAfterEndField);
	if (!problem) return Number(value);
	throw refusal('option', waitAfterEndField, `${problem}. The value is: ${shortText(value)}`);
}

/**
 * Reads the fields of the node.
 *
 * @throws {InvalidInput} when an ID is none, a filter has a value that no call can have, or the
 * option is no number of seconds
 */
export function readSelection(context: IPollFunctions): Selection {
	const campaigns = orAnyId(chosenCampaigns(context));
	const types = chosenIn(context, callTypesField);
	const statuses = chosenIn(context, statusesField);
	return {
		queries: orAnyId(chosenAssistants(context)).flatMap((assistantId) =>
			campaigns.map((campaignId) => ({ assistantId, campaignId })),
		),
		matches: ({ type, status }) => isChosen(type, types) && isChosen(status, statuses),
		waitAfterEndMs: getWaitAfterEnd(context) * 1_000,
	};
}
