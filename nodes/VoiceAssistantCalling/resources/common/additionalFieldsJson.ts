import type { IHttpRequestOptions } from 'n8n-workflow';

import { invalidField } from '../../../shared/client/errors';
import { flatten, getLabel } from '../../fields/fieldLabels';
import { getBody, type Field, type PreSend } from '../../fields/routing';
import { parsedJson } from '../../fields/toWireTypes';

const LABEL = 'Additional Fields (JSON)';

/** Where the value stands in the request until it is merged into the body. */
const PROPERTY = 'additional_fields_json';

/** The field of the form that sends a name of the body; undefined when none does. */
function findSender(fields: Field[], name: string): string | undefined {
	const paths = flatten(fields)
		.flatMap(({ routing }) => routing?.send.property ?? [])
		// The fields under Remove send the name of what they empty.
		.filter((path) =>
			[path, path.replace(/^remove\./, '')].some((sent) => sent.split('.')[0] === name),
		);
	return paths[0] && getLabel(fields, paths.includes(name) ? name : paths[0]);
}

/**
 * The field for what the service takes and this node has no field for. Its values are sent as they are.
 *
 * @param getFields all fields of the operation: a name that one of them sends is refused
 * @param renamed the fields whose routing has another name than what they send, by the name they send
 */
export function additionalFieldsJson(
	getFields: () => Field[],
	renamed: { get: (name: string) => string | undefined } = new Map<string, string>(),
): Field {
	const merge: PreSend = (request: IHttpRequestOptions) => {
		const { [PROPERTY]: entered, ...body } = getBody(request);
		const added = parsedJson(entered);
		for (const name of Object.keys(added)) {
			const sender = findSender(getFields(), name) ?? renamed.get(name);
			if (sender === undefined) continue;
			throw invalidField(
				LABEL,
				`has the name ${name}, which the field '${sender}' sends`,
				`Remove ${name} from the JSON, and use '${sender}'. Nothing was sent for this item.`,
			);
		}
		return Promise.resolve({ ...request, body: { ...body, ...added } });
	};
	return {
		displayName: LABEL,
		name: 'additionalFieldsJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"priority": 2}',
		description:
			'Fields that the service takes and this node does not have, as a JSON object. They are sent as they are.',
		routing: { send: { type: 'body', property: PROPERTY, preSend: [merge] } },
	};
}
