import { expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { contractOperations } from '../../support/parity/contract.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { triggerParameters, toolTrigger } from '../../support/trigger/toolTrigger.mts';

const environment = await startTriggerEnvironment();

const createTool = contractOperations.find(({ operationId }) => operationId === 'createTool');

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

const callDetail = (fields: IDataObject) => ({
	options: {
		callDetailNames: { detail: [{ name: 'caller', placeholder: 'from_number', ...fields }] },
	},
});
const CALL_DETAIL = "'Call Detail Names → 1";
const SWITCH = "'Call Details' must be true or false (the value is: perhaps).";
const DETAIL_NAME =
	"'Call Detail Names → 1 → Name' must have up to 64 letters, digits and underscores, and start with a letter.";

const publish = async (parameters: IDataObject) => {
	const node = toolTrigger(environment.instance(), {
		parameters: triggerParameters([2], parameters),
	});
	return await node.hook('create');
};

const expectRefusal = async (parameters: IDataObject, message: string) =>
	expect(await environment.failure(() => publish(parameters))).toEqual({
		name: 'NodeOperationError',
		message: notPublished(`${message} Change it in the Mid Call Tool Trigger.`),
		asked: [],
	});

const TIMEOUT = "'Timeout (Seconds)' must be a whole number from 1 to 30.";
const PARAMETER_NAME =
	"'Parameters → 1 → Name' must have 2 to 32 letters and underscores, and start with a letter.";

const parameterName = (length: number) => parameter({ name: text(length) });
const parameterDescription = (length: number) => parameter({ description: text(length) });

it.each<[...Parameters<typeof limit>, (value: number) => IDataObject, string]>([
	[
		'description',
		'maxLength',
		(length) => ({ description: text(length) }),
		"'Tool Description' must have at most 255 characters, and has 256.",
	],
	['timeout', 'minimum', (timeout) => ({ options: { timeout } }), TIMEOUT],
	['timeout', 'maximum', (timeout) => ({ options: { timeout: String(timeout) } }), TIMEOUT],
	['schema[].name', 'minLength', parameterName, PARAMETER_NAME],
	['schema[].name', 'maxLength', parameterName, PARAMETER_NAME],
	[
		'schema[].description',
		'minLength',
		parameterDescription,
		"'Parameters → 1 → Description' must have at least 3 characters.",
	],
	[
		'schema[].description',
		'maxLength',
		parameterDescription,
		"'Parameters → 1 → Description' must have at most 255 characters, and has 256.",
	],
])(
	'a tool with the %s at the %s of the service is registered, and none beyond it',
	async (name, key, toFields, message) => {
		const value = limit(name, key);
		expect(await publish(toFields(value))).toBe(true);
		await expectRefusal(toFields(key.startsWith('max') ? value + 1 : value - 1), message);
	},
);

it('a tool without parameters is registered', async () => {
	expect(await publish({ parameters: {} })).toBe(true);
});

it.each<[string, IDataObject, string]>([
	['no name', { name: '' }, "'Tool Name' is empty."],
	[
		'capitals in the name',
		{ name: 'GetSlots' },
		"'Tool Name' must contain only lowercase letters and underscores, and start with a letter.",
	],
	['no description', { description: ' ' }, "'Tool Description' is empty."],
	[
		'the same answer for an hour',
		{ options: { sameAnswerSeconds: 3600 } },
		"'Same Answer For (Seconds)' must be a number from 0 to 600.",
	],
	['half a second more', { options: { timeout: '={{ 1.5 }}' } }, TIMEOUT],
	[
		'another method',
		{ options: { method: '={{ "HEAD" }}' } },
		"'Method' must be one of GET, POST, PUT, PATCH, DELETE.",
	],
	['a number in the name of a parameter', parameter({ name: 'day1' }), PARAMETER_NAME],
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
	[
		'a header of its call details',
		header({ name: 'x-call-customer-phone' }),
		"'Headers → 1 → Name' cannot be X-Call-Customer-Phone, which the trigger uses itself.",
	],
	['call details that are no switch', { options: { callDetails: 'perhaps' } }, SWITCH],
	['a call detail without a name', callDetail({ name: '' }), `${CALL_DETAIL} → Name' is empty.`],
	['a line break in the name of a call detail', callDetail({ name: 'a\r\nX-B' }), DETAIL_NAME],
	['a hyphen in the name of a call detail', callDetail({ name: 'caller-id' }), DETAIL_NAME],
	['a long name of a call detail', callDetail({ name: text(65) }), DETAIL_NAME],
	[
		'a call detail without a placeholder',
		callDetail({ placeholder: ' ' }),
		`${CALL_DETAIL} → Placeholder' is empty.`,
	],
	[
		'a placeholder with a line break',
		callDetail({ placeholder: '{{a\nb}}' }),
		`${CALL_DETAIL} → Placeholder' has a character that a header cannot carry.`,
	],
	[
		'two call details of one name',
		{
			options: {
				callDetailNames: {
					detail: ['caller', 'Caller'].map((name) => ({ name, placeholder: 'from_number' })),
				},
			},
		},
		"'Call Detail Names' has the name Caller twice.",
	],
])('a tool with %s is refused before anything is sent', async (_, parameters, message) => {
	await expectRefusal(parameters, message);
});
