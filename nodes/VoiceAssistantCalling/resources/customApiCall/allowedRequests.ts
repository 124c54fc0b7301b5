import type { IHttpRequestOptions } from 'n8n-workflow';

import { invalidField } from '../../../shared/client/errors';
import { chosenValues, shortText } from '../../../shared/fields/values';
import { asText, parseJson } from '../../../shared/values/json';
import type { Values } from '../../fields/fieldValues';

const withSlash = (pattern: string) => (/^[/*]/.test(pattern) ? pattern : `/${pattern}`);

/** The patterns of a text with one in each line, or with commas between them. */
const toPatterns = (text: unknown): string[] =>
	asText(text)
		.split(/[\n,]/)
		.map((pattern) => pattern.trim())
		.filter((pattern) => pattern !== '')
		.map(withSlash);

/** Whether a path fits a pattern, in which `*` stands for any characters. */
function fits(path: string, pattern: string): boolean {
	const [first = '', ...others] = pattern.split('*');
	const last = others.pop();
	if (last === undefined) return path === pattern;
	let from = first.length;
	for (const part of others) {
		const found = path.indexOf(part, from);
		if (found < 0) return false;
		from = found + part.length;
	}
	return path.startsWith(first) && path.endsWith(last) && path.length - last.length >= from;
}

const refused = (field: string, problem: string, allowed: unknown[]) =>
	invalidField(
		field,
		problem,
		`Allowed: ${allowed.join(', ') || 'none'}. Nothing was sent for this item.`,
	);

/**
 * Some servers take the value of such a field for the method of the request. PHP reads `.method` and `[method`
 * as this name too.
 */
const METHOD_OVERRIDE = /"\s*[_.[]method/i;

/**
 * Checks the request of an AI agent against what the user allows it. Without this, the operation would be a
 * way to write anything with the token.
 *
 * @param request as `toRequest` builds it
 * @param values of *Allowed Methods* and *Allowed Paths*
 * @throws {InvalidInput} that names what is allowed, so that the model can try again
 */
export function checkAllowed({ method, url, qs, body }: IHttpRequestOptions, values: Values): void {
	const methods = chosenValues(values.allowedMethods);
	if (!methods.includes(method)) {
		throw refused('Allowed Methods', `does not let an AI agent send ${method}`, methods);
	}
	const names = [Object.keys(qs ?? {}), parseJson(asText(body) || 'null')];
	if (METHOD_OVERRIDE.test(JSON.stringify(names))) {
		throw refused('Allowed Methods', 'does not let an AI agent send _method', methods);
	}
	const patterns = toPatterns(values.allowedPaths);
	const path = decodeURIComponent(url);
	if (!patterns.some((pattern) => fits(path, pattern))) {
		throw refused('Allowed Paths', `does not let an AI agent use ${shortText(path)}`, patterns);
	}
}
