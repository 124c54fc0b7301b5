import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Endpoint } from '../../shared/client/credential';
import { InvalidInput } from '../../shared/client/errors';
import { trimmed } from '../../shared/fields/textRule';
import { getLocatorValue } from '../../shared/fields/values';
import { asText, isRecord } from '../../shared/values/json';
import { isShown, type Values } from './fieldValues';
import type { Field, OperationRequest, PreSend, SendContext } from './routing';
import { toWireTypes } from './toWireTypes';

/** Sets a value at a path. An object is merged into an object that is there. */
function setAt(target: IDataObject, [name = '', ...inside]: string[], value: unknown): void {
	const present = target[name];
	const object = isRecord(present) ? present : {};
	if (inside.length > 0) {
		setAt(object, inside, value);
		target[name] = object;
	} else {
		target[name] = isRecord(value) ? { ...object, ...value } : (value as IDataObject[string]);
	}
}

/** All fields that have a value, also inside collections, with their values. */
function filledFields(fields: Field[], values: Values): Array<[field: Field, value: unknown]> {
	return fields
		.filter((field) => isShown(field, values) && field.name in values)
		.flatMap((field): Array<[Field, unknown]> => {
			const entered = values[field.name];
			const value = field.type === 'resourceLocator' ? getLocatorValue(entered) : entered;
			if (field.type !== 'collection') return [[field, value]];
			const members = (field.options ?? []).filter((option) => 'type' in option);
			return filledFields(members, isRecord(value) ? value : {});
		});
}

/** Replaces the names in a URL, because n8n would evaluate them in an isolate for each item. */
const resolveUrl = (url: string, values: Values, endpoint: Endpoint): string =>
	url
		.replace(/^=/, '')
		.replace(
			/\{\{\$(parameter|credentials)\.(\w+)(?:[^\w}][^}]*)?\}\}/g,
			(_, source: string, name: string) =>
				asText(
					getLocatorValue(source === 'parameter' ? values[name] : endpoint[name as keyof Endpoint]),
				),
		);

/**
 * Builds the request of an item from the routing of its operation and of its fields.
 *
 * @param values of the operation's fields, checked by checkFields.ts
 * @param context of the run, for `preSend` functions
 * @throws {InvalidInput} when an update would change nothing, or a `preSend` function refuses a value
 */
export async function buildRequest(
	{ request, fields }: { request: OperationRequest; fields: Field[] },
	values: Values,
	endpoint: Endpoint,
	context: SendContext,
): Promise<IHttpRequestOptions> {
	const qs: IDataObject = {};
	const body: IDataObject = { ...request.body };
	const preSend: PreSend[] = [toWireTypes];
	for (const [{ routing, rule = {} }, filled] of filledFields(fields, values)) {
		const value = typeof filled === 'string' ? trimmed(filled, rule) : filled;
		const { type, property, preSend: actions = [] } = routing?.send ?? {};
		if (property) setAt(type === 'query' ? qs : body, property.split('.'), value);
		preSend.push(...actions);
	}

	const url = resolveUrl(request.url, values, endpoint);
	let built: IHttpRequestOptions = {
		method: request.method,
		baseURL: endpoint.baseUrl,
		url,
		qs,
		body,
	};
	// Each action runs once: the second run would parse a variable with the name `json` as JSON.
	for (const action of new Set(preSend)) built = await action.call(context, built);
	if (request.method === 'PUT' && Object.keys(built.body ?? {}).length === 0) {
		throw new InvalidInput({
			message: 'There is nothing to change, because no field has a value',
			nextStep: 'Add at least one field and fill it in. Nothing was sent for this item.',
		});
	}
	return built;
}
