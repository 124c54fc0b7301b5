import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import { invalidField } from '../../../shared/client/errors';
import { isEmpty } from '../../../shared/fields/values';
import { asText } from '../../../shared/values/json';
import { IS_TOOL, type Values } from '../../fields/fieldValues';
import { parsedJson } from '../../fields/toWireTypes';
import type { ToRequest } from '../operation';
import { checkAllowed } from './allowedRequests';

const wrongPath = (problem: string, nextStep: string) =>
	invalidField('Path', problem, `${nextStep} Nothing was sent for this item.`);

const notBelow = () =>
	wrongPath(
		'must be only what comes after the Base URL',
		'Enter it without a host, /api, two slashes in a row, a backslash, and dots between slashes, such as /user/calls. Encode each character once, and write %25 for a percent sign.',
	);

/**
 * What can mean another path to a server or client: a segment that leads up, also with a semicolon or spaces
 * behind it; slashes, for which URLs take a backslash too; what a second decoding changes; and what clients
 * remove.
 */
const UNSAFE = /^\s*\.{1,2}\s*(;|$)|[/\\]|%[\da-f]{2}|\p{Cc}|\p{Cs}/iu;

/** The text between two slashes, encoded once. */
function encodeSegment(segment: string): string {
	try {
		const decoded = decodeURIComponent(segment);
		if (!UNSAFE.test(decoded)) return encodeURIComponent(decoded);
	} catch {
		// A percent sign encodes nothing.
	}
	throw notBelow();
}

/**
 * Checks a path below the Base URL, and writes it so that no server or client reads another one or a host in
 * it.
 *
 * @param entered with or without a slash in front
 * @param baseUrl ends in `/api`
 * @returns the path with a slash in front
 * @throws {InvalidInput} when it could lead out of the Base URL, repeats its end, or has a query
 */
export function toRequestPath(entered: string, baseUrl: string): string {
	const text = entered.trim().replace(/^\//, '');
	if (/[?#]/.test(text)) {
		throw wrongPath(
			'must not have a question mark or a number sign',
			"Enter what follows under 'Query Parameters (JSON)', or write %3F or %23 for the character.",
		);
	}
	const path = `/${text.split('/').map(encodeSegment).join('/')}`;
	const isBaseUrl = ['/api', new URL(baseUrl).pathname].some((end) =>
		`${path}/`.startsWith(`${end}/`),
	);
	if (isBaseUrl || path === '/' || path.includes('//')) throw notBelow();
	return path;
}

/** The body as JSON. What the user wrote is sent as it is, because JavaScript would round long numbers. */
const toBody = ({ body }: Values): string | undefined => {
	if (isEmpty(body)) return undefined;
	return typeof body === 'string' ? body : JSON.stringify(body);
};

/** Builds the request of a custom API call, see {@link ToRequest}. For an AI agent, it must be allowed. */
export const toRequest: ToRequest = (values, { baseUrl }) => {
	const request: IHttpRequestOptions = {
		method: asText(values.method) as IHttpRequestMethods,
		baseURL: baseUrl,
		url: toRequestPath(asText(values.path), baseUrl),
		qs: parsedJson(values.query),
		// The form that PHP reads, and that HTTP Request uses.
		arrayFormat: 'brackets',
		body: toBody(values),
	};
	if (values[IS_TOOL] === true) checkAllowed(request, values);
	return request;
};
