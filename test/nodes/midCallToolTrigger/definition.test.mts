import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { root } from '../../support/package.mts';
import { readContract, serviceOperations } from '../../support/parity/contract.mts';
import { failureOf, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { toolParameters, toolTrigger } from '../../support/trigger/toolTrigger.mts';

const environment = await startTriggerEnvironment();

const contract = await readContract(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8'));
const createTool = serviceOperations(contract).find(
	({ operationId }) => operationId === 'createTool',
);
/** A limit of the contract. */
function limit(name: string, key: 'minimum' | 'maximum' | 'minLength' | 'maxLength'): number {
	const value = createTool?.requestValues.find((each) => each.name === `body.${name}`);
	const number = value?.schema[key];
	if (number === undefined) throw new Error(`The contract has no ${key} of ${name}`);
	return number;
}

const text = (length: number) => 'a'.repeat(length);

const parameter = (fields: IDataObject) => ({
	parameters: {
		parameter: [{ name: 'day', type: 'string', description: 'The day', ...fields }],
	},
});
const header = (fields: IDataObject) => ({
	options: { headers: { header: [{ name: 'X-Shop', value: 'Bonn', ...fields }] } },
});

const publish = async (parameters: IDataObject) => {
	const node = toolTrigger(environment.instance(), { parameters: toolParameters([2], parameters) });
	return await node.hook('create', 'production', {});
};

const NEXT = 'Change it in the Mid Call Tool Trigger, then publish again.';

describe('a tool that the service would refuse is refused before anything is sent:', () => {
	it.each<[string, IDataObject, string]>([
		['no name', { name: '' }, "'Name' is empty."],
		[
			'capitals in the name',
			{ name: 'GetSlots' },
			"'Name' must contain only lowercase letters and underscores, and start with a letter.",
		],
		['no description', { description: ' ' }, "'Description' is empty."],
		[
			'a long description',
			{ description: text(limit('description', 'maxLength') + 1) },
			"'Description' must have at most 255 characters, and has 256.",
		],
		[
			'a short timeout',
			{ timeout: limit('timeout', 'minimum') - 1 },
			"'Timeout (Seconds)' must be a whole number from 1 to 30.",
		],
		[
			'a long timeout',
			{ timeout: limit('timeout', 'maximum') + 1 },
			"'Timeout (Seconds)' must be a whole number from 1 to 30.",
		],
		[
			'half a second more',
			{ timeout: '={{ 1.5 }}' },
			"'Timeout (Seconds)' must be a whole number from 1 to 30.",
		],
		[
			'another method',
			{ method: '={{ "HEAD" }}' },
			"'Method' must be one of GET, POST, PUT, PATCH, DELETE.",
		],
		[
			'a short name of a parameter',
			parameter({ name: text(limit('schema[].name', 'minLength') - 1) }),
			"'Parameters → 1 → Name' must have 2 to 32 letters and underscores, and start with a letter.",
		],
		[
			'a long name of a parameter',
			parameter({ name: text(limit('schema[].name', 'maxLength') + 1) }),
			"'Parameters → 1 → Name' must have 2 to 32 letters and underscores, and start with a letter.",
		],
		[
			'a number in the name of a parameter',
			parameter({ name: 'day1' }),
			"'Parameters → 1 → Name' must have 2 to 32 letters and underscores, and start with a letter.",
		],
		[
			'a short description of a parameter',
			parameter({ description: text(limit('schema[].description', 'minLength') - 1) }),
			"'Parameters → 1 → Description' must have at least 3 characters.",
		],
		[
			'a long description of a parameter',
			parameter({ description: text(limit('schema[].description', 'maxLength') + 1) }),
			"'Parameters → 1 → Description' must have at most 255 characters, and has 256.",
		],
		[
			'another type of a parameter',
			parameter({ type: '={{ "date" }}' }),
			"'Parameters → 1 → Type' must be Text, Number or True or False.",
		],
		[
			'two parameters of one name',
			{
				parameters: {
					parameter: ['day', 'Day'].map((name) => ({ name, type: 'string', description: 'Any' })),
				},
			},
			"'Parameters' has the name Day twice.",
		],
		['a header without a value', header({ value: '' }), "'Headers → 1 → Value' is empty."],
		[
			'a header with a space',
			header({ name: 'X Shop' }),
			"'Headers → 1 → Name' is not the name of an HTTP header.",
		],
		[
			'a header with a line break',
			header({ value: 'a\nb' }),
			"'Headers → 1 → Value' has a character that a header cannot carry.",
		],
		[
			"the trigger's own header",
			header({ name: 'x-tool-token' }),
			"'Headers → 1 → Name' cannot be X-Tool-Token, which the trigger uses itself.",
		],
	])('%s', async (_, parameters, message) => {
		let failure: Error | undefined;
		const asked = await environment.requestedOperations(async () => {
			failure = await failureOf(publish(parameters));
		});
		expect(failure?.name).toBe('NodeOperationError');
		expect(failure?.message).toBe(`${message} ${NEXT}`);
		expect(asked).toEqual([]);
	});
});

describe('a tool at the limits of the service is registered:', () => {
	it.each<[string, IDataObject]>([
		['a long description', { description: text(limit('description', 'maxLength')) }],
		['the shortest timeout', { timeout: limit('timeout', 'minimum') }],
		['the longest timeout, as text', { timeout: String(limit('timeout', 'maximum')) }],
		['the shortest name', parameter({ name: text(limit('schema[].name', 'minLength')) })],
		['the longest name', parameter({ name: text(limit('schema[].name', 'maxLength')) })],
		[
			'the shortest description',
			parameter({ description: text(limit('schema[].description', 'minLength')) }),
		],
		[
			'the longest description',
			parameter({ description: text(limit('schema[].description', 'maxLength')) }),
		],
		['no parameters', { parameters: {} }],
	])('%s', async (_, parameters) => {
		expect(await publish(parameters)).toBe(true);
	});
});
