import type { INodeProperties } from 'n8n-workflow';

/** A picker; a node adds where the choice goes. */
type Locator = Omit<INodeProperties, 'routing' | 'options'>;

/** Picks a record from a searchable list, or takes its id. */
const locator = (noun: string, name: string, searchListMethod: string): Locator => ({
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
			// No `validation`: n8n 2.41 runs it before each execution, with 250 ms for it by the clock. On a
			// busy machine that is not enough even for this, and the execution fails, its event lost. What is
			// no ID is refused when the node runs.
		},
	],
});

/** Picks an assistant of the account. */
export const assistantLocator = locator('Assistant', 'assistantId', 'searchAssistants');

/** Picks a mid call tool; only the ones that an assistant has can be listed (contract: tools). */
export const toolLocator: Locator = {
	...locator('Tool', 'toolId', 'searchTools'),
	description: 'The list shows the tools that an assistant has. For another one, give its ID.',
};
