import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { isEmpty } from '../../../shared/fields/values';
import { asText, isRecord, parseJson, recordsIn } from '../../../shared/values/json';
import { IS_TOOL, type Values } from '../../fields/fieldValues';
import type { ToRequest } from '../operation';
import { checkAllowed } from './allowedRequests';
import { toRequestPath } from './requestPath';

/** The query, from pairs or from JSON. Only one of the two fields is on the screen. */
function toQuery({ queryParameters, queryJson }: Values): IDataObject {
	const json = typeof queryJson === 'string' && queryJson !== '' ? parseJson(queryJson) : queryJson;
	const pairs = recordsIn(isRecord(queryParameters) ? queryParameters.parameter : []);
	const query = [
		...pairs.map(({ name, value }): [string, unknown] => [asText(name).trim(), value]),
		...Object.entries(isRecord(json) ? json : {}),
	];
	return Object.fromEntries(query) as IDataObject;
}

/** The body as JSON. What the user wrote is sent as it is, because JavaScript would round long numbers. */
const toBody = ({ body }: Values): string | undefined => {
	if (isEmpty(body)) return undefined;
	return typeof body === 'string' ? body : JSON.stringify(body);
};

/** Builds the request of a custom API call, see {@link ToRequest}. For an AI agent, it must be allowed. */
export const toRequest: ToRequest = (values, { baseUrl }) => {
	const method = asText(values.method) as IHttpRequestMethods;
	const url = toRequestPath(asText(values.path), baseUrl);
	const query = toQuery(values);
	const body = toBody(values);
	if (values[IS_TOOL] === true) checkAllowed({ method, path: url, query, body }, values);
	return {
		method,
		baseURL: baseUrl,
		url,
		qs: query,
		// The form that PHP reads, and that HTTP Request uses.
		arrayFormat: 'brackets',
		body,
	};
};
