import type { INodeProperties } from 'n8n-workflow';

/** A picker without routing: each node adds its own. */
type Locator = Omit<INodeProperties, 'routing' | 'options'>;

/** Picks a record from a list, or takes its ID. */
export const locator = (noun: string, name: string, searchListMethod: string): Locator => ({
	displayName: noun,
	name,
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 42',
			// No `validation`: n8n 2.41 runs it before each execution and stops it after 250 ms. On a busy
			// machine that fails the execution, and its event is lost. The node checks the ID when it runs.
		},
	],
});

/** Picks an assistant of the account. */
export const assistantLocator = locator('Assistant', 'assistantId', 'searchAssistants');

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

/** Picks a mid call tool. The service lists only the tools that an assistant has (contract: tools). */
export const toolLocator: Locator = {
	...locator('Tool', 'toolId', 'searchTools'),
	description: 'The list shows the tools that an assistant has. For any other tool, enter its ID.',
};
