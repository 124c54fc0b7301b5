import { toolLocator } from '../../../shared/assistants/assistantLocators';
import { recordShapes } from '../../../shared/records/recordShapes';
import { required } from '../../../shared/pickers/locator';
import { additionalFieldsJson } from '../common/additionalFieldsJson';
import { removeFields } from '../common/removeFields';
import { replacingNotice } from '../common/replacingNotice';
import type { Operation } from '../operation';
import { requiredOnCreate, toolLists, toolTimeout } from './fields';

const removed = removeFields([
	{
		displayName: 'Headers',
		name: 'headers',
		description: 'all headers of the tool',
		property: 'headers',
	},
	{
		displayName: 'Parameters',
		name: 'parameters',
		description: 'all parameters of the tool',
		property: 'schema',
	},
]);

export const update: Operation = {
	name: 'Update',
	action: 'Update mid call tool',
	description: 'Change a mid call tool',
	request: { method: 'PUT', url: '=/user/tools/{{$parameter.toolId}}' },
	record: recordShapes.tool,
	fields: [
		required(toolLocator),
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Only what you add here and below changes',
			options: [
				additionalFieldsJson(() => update.fields),
				requiredOnCreate.endpoint,
				requiredOnCreate.method,
				toolTimeout,
				requiredOnCreate.description,
				requiredOnCreate.name,
			],
		},
		replacingNotice('Parameters or Headers', 'tool'),
		...toolLists,
		removed,
	],
};
