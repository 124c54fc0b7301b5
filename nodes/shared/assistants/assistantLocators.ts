import type { INodeProperties } from 'n8n-workflow';

import { locator } from '../pickers/locator';

/** Picks an assistant of the account. */
export const assistantLocator = locator({
	displayName: 'Assistant',
	name: 'assistantId',
	description: 'The assistant, from the list of your account or by its ID',
	searchListMethod: 'searchAssistants',
});

/** Picks several assistants, each from the list or by its ID. */
export const assistantsField: INodeProperties = {
	displayName: 'Assistants',
	name: 'assistants',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Assistant',
	default: {},
	options: [{ displayName: 'Assistant', name: 'values', values: [assistantLocator] }],
};

/** Picks a mid call tool of the account. */
export const toolLocator = locator({
	displayName: 'Tool',
	name: 'toolId',
	description: 'The mid call tool, from the list of your account or by its ID',
	searchListMethod: 'searchTools',
	entryMode: { hint: "'Mid Call Tool → Create' returns the ID" },
});
