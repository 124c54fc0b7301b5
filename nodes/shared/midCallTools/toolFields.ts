import { limits } from '../fields/limits';
import type { RuledField, TextRule } from '../fields/textRule';

/** The value of an HTTP header. */
export const HEADER_VALUE: TextRule = {
	pattern: '^[\\x20-\\x7e]+$',
	problem: 'has a character that a header cannot carry',
};

/**
 * What the texts of a mid call tool must be (contract: Mid call tool, Limits). The service puts the
 * headers into an HTTP request, so HTTP itself sets the rules of their characters.
 */
const toolRules = {
	name: {
		...limits.createTool.name,
		problem: 'must contain only lowercase letters and underscores, and start with a letter',
	},
	description: limits.createTool.description,
	headerName: {
		pattern: "^[\\w!#$%&'*+.^`|~-]+$",
		problem: 'is not the name of an HTTP header',
	},
	headerValue: HEADER_VALUE,
	parameterName: {
		...limits.createTool.schema.name,
		problem: 'must have 2 to 32 letters and underscores, and start with a letter',
	},
	parameterDescription: limits.createTool.schema.description,
} satisfies Record<string, TextRule>;

const { default: assumedTimeout, ...timeoutLimits } = limits.createTool.timeout;

/** The fields of a mid call tool (contract: Mid call tool). Each node adds what it does with them. */
export const toolFields = {
	name: {
		displayName: 'Tool Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. get_free_slots',
		hint: 'Lowercase letters and underscores, starting with a letter',
		description: 'The name by which the assistant knows the tool',
		rule: toolRules.name,
	},
	description: {
		displayName: 'Tool Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Look up free appointments when the person asks for one',
		description: `When and how the assistant should use the tool, up to ${toolRules.description.maxLength} characters`,
		rule: toolRules.description,
	},
	method: {
		displayName: 'Method',
		name: 'method',
		type: 'options',
		default: 'POST',
		description: 'How the service calls the tool',
		options: [
			{ name: 'DELETE', value: 'DELETE' },
			{ name: 'GET', value: 'GET' },
			{ name: 'PATCH', value: 'PATCH' },
			{ name: 'POST', value: 'POST' },
			{ name: 'PUT', value: 'PUT' },
		],
	},
	timeout: {
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: timeoutLimits,
		default: assumedTimeout,
		description: `How long the assistant waits for a response, from ${timeoutLimits.minValue} to ${timeoutLimits.maxValue} seconds`,
	},
	headers: {
		displayName: 'Headers',
		name: 'headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Header' },
		placeholder: 'Add Header',
		default: {},
		description: 'Headers to send with every call of the tool',
		options: [
			{
				displayName: 'Header',
				name: 'header',
				hasUniqueNames: true,
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. X-Shop',
						description: 'Name of the header',
						rule: toolRules.headerName,
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						required: true,
						description: 'Value of the header',
						rule: toolRules.headerValue,
					},
				],
			},
		],
	},
	parameters: {
		displayName: 'Parameters',
		name: 'parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Parameter' },
		placeholder: 'Add Parameter',
		default: {},
		description: 'Values that the assistant finds out in the conversation and passes to the tool',
		options: [
			{
				displayName: 'Parameter',
				name: 'parameter',
				hasUniqueNames: true,
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. preferred_day',
						description: 'Letters and underscores, starting with a letter, 2 to 32 characters',
						rule: toolRules.parameterName,
					},
					{
						displayName: 'Type',
						name: 'type',
						type: 'options',
						default: 'string',
						required: true,
						description: 'What kind of value it is',
						options: [
							{ name: 'Number', value: 'number' },
							{ name: 'Text', value: 'string' },
							{ name: 'True or False', value: 'boolean' },
						],
					},
					{
						displayName: 'Description',
						name: 'description',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. The day of the appointment',
						description: 'What the assistant should ask for, 3 to 255 characters',
						rule: toolRules.parameterDescription,
					},
				],
			},
		],
	},
} satisfies Record<string, RuledField>;
