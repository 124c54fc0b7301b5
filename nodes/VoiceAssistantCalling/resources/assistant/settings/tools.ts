import { toolLocator } from '../../../../shared/assistants/assistantLocators';
import { required } from '../../../../shared/pickers/locator';
import type { Field } from '../../../fields/routing';
import { toToolIds } from './toToolIds';

export const tools: Field = {
	displayName: 'Tools',
	name: 'tools',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tool' },
	placeholder: 'Add Tool',
	default: {},
	description: 'The mid call tools of the assistant',
	routing: { send: { type: 'body', property: 'tool_ids', preSend: [toToolIds] } },
	options: [{ displayName: 'Tool', name: 'tool', values: [required(toolLocator)] }],
};
