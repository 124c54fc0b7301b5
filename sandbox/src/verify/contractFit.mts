import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

import { readContractFile } from '../contract/readContractFile.mts';
import { isDocumentedForm } from './documentedForms.mts';
import { finding, isObject, type Finding } from './finding.mts';
import type { ReadList } from './lists.mts';

/**
 * A place at which an answer differs from the contract: its path, which has only names of the contract, and
 * the path with what is there. A documented form is in public-service.md, and the nodes read it.
 */
type Mismatch = { path: string; text: string; isDocumented: boolean; keyword: string };

/** Without these, the nodes cannot tell records apart, or whether a call is over. */
const NEEDED = {
	Call: ['the record', 'id', 'status', 'created_at'],
	Assistant: ['the record', 'id'],
};

const contract = Object(await readContractFile('openapi.yaml')) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false });
addFormats.default(ajv);
// Any text: the URL of a tool is the user's own.
ajv.addFormat('uri-with-placeholders', true);
ajv.addSchema(contract, 'contract');

/** All names of fields in the contract. Any other one can be a text of the account. */
const NAMES = new Set(
	[...JSON.stringify(contract).matchAll(/"([a-z_]+)":/g)].map(([, name = '']) => name),
);

/** Where a value differs from a schema of contract/openapi.yaml. */
export const mismatches = (schema: string, value: unknown): Mismatch[] =>
	ajv.validate({ $ref: `contract#/components/schemas/${schema}` }, value)
		? []
		: (ajv.errors ?? []).map((error) => mismatchOf(error, value));

function mismatchOf(error: ErrorObject, record: unknown): Mismatch {
	const { keyword, params, message = '', data, instancePath } = error;
	const types = keyword === 'type' ? [params['type'] as unknown].flat().map(String) : [];
	const keys = instancePath.split('/').slice(1);
	let [path, value] = ['', record];
	for (const [index, key] of keys.entries()) {
		path += Array.isArray(value) ? '[]' : `.${NAMES.has(key) ? key : '*'}`;
		value = Reflect.get(Object(value), key.replaceAll('~1', '/').replaceAll('~0', '~'));
		// What is around the value may be what has the form.
		if (isDocumentedForm(path, value, index === keys.length - 1 ? types : [])) {
			return { path, text: `${path.slice(1)}: ${typeName(value)}`, isDocumented: true, keyword };
		}
	}
	const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
	if (typeof missing === 'string') path += `.${missing}`;
	path = path.slice(1) || 'the record';
	const seen = missing === undefined ? `${message}, and is ${typeName(data)}` : 'is missing';
	return { path, text: `${path}: ${seen}`, isDocumented: false, keyword };
}

function typeName(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}

const texts = (found: Mismatch[]): string[] => [...new Set(found.map(({ text }) => text))];

/** How the records of a list, and its page, fit the contract. */
export function fitFindings({ list, rows, body, found }: ReadList): Finding[] {
	const { schema, topic } = list;
	if (schema === undefined || found.outcome !== 'ok') return [];
	if (rows.length === 0) return [finding('open', topic, 'there are none to look at.')];
	const ofRows = rows.flatMap((row) => mismatches(schema, row));
	const others = ofRows.filter(({ isDocumented }) => !isDocumented);
	const isProblem = others.some(
		({ path, keyword }) => NEEDED[schema].includes(path) && /^(type|required)$/.test(keyword),
	);
	const documented = texts(ofRows.filter(({ isDocumented }) => isDocumented));
	const ofPage = isObject(body) ? mismatches('PageEnvelope', body) : [];
	const paths = [...texts(others), ...texts(ofPage).map((text) => `page ${text}`)];
	if (documented.length + paths.length === 0) return [finding('ok', topic, 'as in the contract.')];
	const read = 'another documented form, which the nodes read:';
	const meaning = isProblem ? 'The nodes cannot use such records' : 'The nodes pass them on';
	const unfit = `some fields do not fit the contract. ${meaning}:`;
	return [
		finding('ok', topic, read, documented),
		finding(isProblem ? 'problem' : 'note', topic, unfit, paths),
	].filter((each) => each.paths.length > 0);
}
