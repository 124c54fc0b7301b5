import { parseCreated } from '../../../shared/client/response';
import { recordShapes } from '../../../shared/records/recordShapes';
import { required } from '../../../shared/pickers/locator';
import type { Field } from '../../fields/routing';
import type { Operation } from '../operation';
import { assistantFields, assistantJson } from './fields';
import { sendAssistant } from './generations/sendAssistant';
import { settings } from './settings';

export const create: Operation = {
	name: 'Create',
	action: 'Create assistant',
	description: 'Create a new voice assistant. The output has its ID, name, status, type and mode.',
	request: { method: 'POST', url: '/user/assistant' },
	record: recordShapes.assistantSummary,
	fields: [
		...Object.values(assistantFields).map((field) => required<Field>(field)),
		...settings(
			'A setting that you do not add gets the default of the service, which is not published.',
		),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Fields that are rarely needed',
			options: [assistantJson(() => create.fields)],
		},
	],
	parseResponse: parseCreated,
	sendItem: sendAssistant,
};
