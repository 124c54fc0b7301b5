import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ENGINES } from '../../../support/n8n/engine.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment();

/**
 * Names that users may choose, and that JavaScript's objects inherit. They are names like all others: the
 * request has them as own properties.
 */
const NAMES = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'];

const TEXT = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, { [name]: name }])));
/** `json` is the name of a variable, and the name that the node gives to the JSON of variables. */
const ITEM: IDataObject = { text: TEXT, ...(JSON.parse(TEXT) as IDataObject), json: 'yes' };

const fromItem = (variablesToLeaveOut: string): INodeParameters => ({
	variablesMode: 'sendAllInputFields',
	variablesToLeaveOut: `text, ${variablesToLeaveOut}`,
});

const ENTERED: Array<[how: string, fields: INodeParameters, variables: string]> = [
	['as JSON', { variablesMode: 'json', variablesJson: '={{ $json.text }}' }, TEXT],
	[
		'as fields of the item',
		fromItem('other, constructor.none, __proto__.__proto__.none'),
		TEXT.replace(/\}$/, ',"json":"yes"}'),
	],
	[
		'as fields of the item, of which some are left out',
		fromItem('__proto__, constructor.constructor, toString, json'),
		'{"constructor":{},"prototype":{"prototype":"prototype"},"hasOwnProperty":{"hasOwnProperty":"hasOwnProperty"}}',
	],
];

/** The body of the request for the item. */
async function getBody(operation: string, fields: INodeParameters): Promise<string> {
	const { parameters } = operationNamed(operation);
	await n8n.runNode({ parameters: { ...parameters, ...fields }, items: [ITEM] });
	return JSON.stringify((await sent()).at(-1)?.body);
}

describe.each(ENGINES)('names that all objects inherit, with %s', (_engine, useEngine) => {
	useEngine();

	it.each(ENTERED)('arrive as variables, entered %s', async (_how, fields, variables) => {
		for (const operation of ['lead: create', 'lead: update']) {
			expect(await getBody(operation, { customerName: '', updateFields: {}, ...fields })).toContain(
				`"variables":${variables}`,
			);
		}
	});
});

// The default engine cannot pass on an object with the key "constructor".
it('names that all objects inherit arrive in an object that an expression gives', async () => {
	const fields = { variablesMode: 'json', variablesJson: '={{ JSON.parse($json.text) }}' };
	expect(await getBody('lead: update', { updateFields: {}, ...fields })).toContain(
		`"variables":${TEXT}`,
	);
});
