import { parseCreated } from '../../../shared/client/response';
import { recordShapes } from '../../../shared/records/recordShapes';
import { additionalFieldsJson } from '../common/additionalFieldsJson';
import type { Operation } from '../operation';
import { requiredOnCreate, toolLists, toolTimeout } from './fields';

export const create: Operation = {
	name: 'Create',
	action: 'Create mid call tool',
	description:
		'Create a new tool that assistants use during a call. Your plan limits the number of tools.',
	request: { method: 'POST', url: '/user/tools' },
	record: recordShapes.tool,
	fields: [
		...Object.values(requiredOnCreate).map((field) => ({ ...field, required: true })),
		...toolLists,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Fields that are rarely needed',
			options: [additionalFieldsJson(() => create.fields), toolTimeout],
		},
	],
	parseResponse: parseCreated,
};
