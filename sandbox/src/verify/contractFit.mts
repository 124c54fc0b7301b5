import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

import { readYaml } from '../contract/readYaml.mts';
import { isDocumentedForm } from './documentedForms.mts';
import { isObject, type Finding } from './finding.mts';
import type { ReadList } from './lists.mts';

/** A place at which an answer differs from the contract. */
interface Mismatch {
	/** It has only names of the contract. */
	path: string;
	/** The path, and what is there. */
	text: string;
	/** public-service.md shows it, and the nodes read it. */
	isDocumented: boolean;
	keyword: string;
}

/** Without these, the nodes cannot tell records apart, or whether a call is over. */
const NEEDED = {
	Call: ['the record', 'id', 'status', 'created_at'],
	Assistant: ['the record', 'id'],
};

const contract = Object(await readYaml('openapi.yaml')) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false });
addFormats.default(ajv);
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
export function fitFindings({ list, rows, body, finding }: ReadList): Finding[] {
	const { schema, topic } = list;
	if (schema === undefined || finding.outcome !== 'ok') return [];
	if (rows.length === 0) return [{ outcome: 'open', topic, text: 'there are none to look at.' }];
	const ofRows = rows.flatMap((row) => mismatches(schema, row));
	const others = ofRows.filter(({ isDocumented }) => !isDocumented);
	const isProblem = others.some(
		({ path, keyword }) => NEEDED[schema].includes(path) && /^(type|required)$/.test(keyword),
	);
	const documented = texts(ofRows.filter(({ isDocumented }) => isDocumented));
	const ofPage = isObject(body) ? mismatches('PageEnvelope', body) : [];
	const paths = [...texts(others), ...texts(ofPage).map((text) => `page ${text}`)];
	const findings: Finding[] = [];
	if (documented.length > 0) {
		const text = 'another documented form, which the nodes read:';
		findings.push({ outcome: 'ok', topic, text, paths: documented });
	}
	if (paths.length > 0) {
		const meaning = isProblem ? 'The nodes cannot use such records' : 'The nodes pass them on';
		const text = `some fields do not fit the contract. ${meaning}:`;
		findings.push({ outcome: isProblem ? 'problem' : 'note', topic, text, paths });
	}
	return findings.length > 0 ? findings : [{ outcome: 'ok', topic, text: 'as in the contract.' }];
}
