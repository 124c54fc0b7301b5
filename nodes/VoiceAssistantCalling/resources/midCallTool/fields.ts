import { WEB_ADDRESS } from '../../../shared/fields/textRule';
import { toolFields as descriptions } from '../../../shared/midCallTools/fields';
import type { Field } from '../../fields/routing';

const send = (field: Field, property = field.name): Field => ({
	...field,
	routing: { send: { type: 'body', property } },
});

const { name, description, method, headers, parameters, timeout } = descriptions;

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
export const toolFields = {
	name: send(name),
	description: send(description),
	endpoint: send(endpoint),
	method: send(method),
};

/** The fields that are always optional. */
export const toolExtras = {
	headers: send(headers),
	// In the service, the list of parameters is called schema.
	parameters: send(parameters, 'schema'),
	timeout: send(timeout),
};
