import { toolLocator } from '../../../shared/assistants/assistantLocators';
import { required } from '../../../shared/pickers/locator';
import { recordShapes } from '../../../shared/records/recordShapes';
import type { Operation } from '../operation';

/** public-service: Mid call tools; S1, S2, S12a, S7. */
export const get: Operation = {
	name: 'Get',
	action: 'Get mid call tool',
	description: 'Retrieve a mid call tool with its parameters and headers',
	request: { method: 'GET', url: '=/user/tools/{{$parameter.toolId}}' },
	notInContract: {
		notFound: 'Tool not found',
		wayRound: 'Look at the tool in your account at the provider.',
	},
	record: recordShapes.tool,
	fields: [required(toolLocator)],
};
