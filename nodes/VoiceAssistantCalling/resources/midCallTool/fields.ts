import { WEB_ADDRESS } from '../../../shared/fields/textRule';
import { toolFields } from '../../../shared/midCallTools/toolFields';
import type { Field } from '../../fields/routing';
import { tableOrJson } from '../common/tableOrJson';

const send = (field: Field, property = field.name): Field => ({
	...field,
	routing: { send: { type: 'body', property } },
});

const { name, description, method, headers, parameters, timeout } = toolFields;

const endpoint: Field = {
	displayName: 'Endpoint',
	name: 'endpoint',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/slots',
	description: 'Address that the assistant calls during the conversation',
	rule: WEB_ADDRESS,
};

/** The fields that are required on create and optional on update. */
export const requiredOnCreate = {
	name: send(name),
	description: send(description),
	endpoint: send(endpoint),
	method: send(method),
};

export const toolTimeout = send(timeout);

/** The lists of a tool. */
export const toolLists: Field[] = [
	// In the service, the list of parameters is called schema.
	...tableOrJson(
		send(parameters, 'schema'),
		'[{"name": "day", "type": "string", "description": "The wanted day"}]',
	),
	...tableOrJson(send(headers), '[{"name": "X-Shop", "value": "7"}]'),
];
