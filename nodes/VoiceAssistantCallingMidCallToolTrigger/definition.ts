import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InvalidInput } from '../shared/client/errors';
import { asText, recordsIn } from '../shared/client/json';
import { textProblem, type TextRule } from '../shared/fields/textRule';
import { toolRules } from '../shared/midCallTools/rules';
import { TOKEN_HEADER } from '../shared/midCallTools/secret';
import type { ToolParameter } from './toolParameters';

/** A header that the assistant sends with every call of the tool. */
interface Header {
	name: string;
	value: string;
}

/** The tool as the node describes it, in the words of the service (contract: Mid call tool). */
export interface ToolDefinition {
	name: string;
	description: string;
	method: string;
	/** Seconds. */
	timeout: number;
	headers: Header[];
	schema: ToolParameter[];
}

/** The limits of the contract (Mid call tool, Limits), in seconds. */
const TIMEOUT_LIMITS = [1, 30] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const TYPES: unknown[] = ['string', 'number', 'boolean'];

const wrong = (field: string, problem: string) =>
	new InvalidInput({
		message: `'${field}' ${problem}`,
		nextStep: 'Change it in the Mid Call Tool Trigger, then publish again.',
	});

/** A text that is not empty and fits its rule, without spaces around it. */
function text(field: string, value: unknown, rule: TextRule = {}): string {
	const entered = asText(value).trim();
	if (entered === '') throw wrong(field, 'is empty');
	const problem = textProblem(entered, rule);
	if (problem) throw wrong(field, problem);
	return entered;
}

function twice(names: string[]): string | undefined {
	const known = names.map((name) => name.toLowerCase());
	return names.find((_, index) => known.indexOf(known[index] ?? '') < index);
}

function parameterIn(row: Record<string, unknown>, index: number): ToolParameter {
	const field = (name: string) => `Parameters → ${index + 1} → ${name}`;
	if (!TYPES.includes(row.type))
		throw wrong(field('Type'), 'must be Text, Number or True or False');
	return {
		name: text(field('Name'), row.name, toolRules.parameterName),
		type: row.type as ToolParameter['type'],
		description: text(field('Description'), row.description, toolRules.parameterDescription),
	};
}

function headerIn(row: Record<string, unknown>, index: number): Header {
	const field = (name: string) => `Headers → ${index + 1} → ${name}`;
	const header = {
		name: text(field('Name'), row.name, toolRules.headerName),
		value: text(field('Value'), row.value, toolRules.headerValue),
	};
	if (header.name.toLowerCase() === TOKEN_HEADER.toLowerCase()) {
		throw wrong(field('Name'), `cannot be ${TOKEN_HEADER}, which the trigger uses itself`);
	}
	return header;
}

function timeoutIn(value: unknown): number {
	const [min, max] = TIMEOUT_LIMITS;
	const seconds = Number(value);
	if (asText(value) !== '' && Number.isInteger(seconds) && seconds >= min && seconds <= max) {
		return seconds;
	}
	throw wrong('Timeout (Seconds)', `must be a whole number from ${min} to ${max}`);
}

/** Reads the parameters of the tool. Each delivery needs them, so they are read without the rest. */
export function readParameters(context: IHookFunctions | IWebhookFunctions): ToolParameter[] {
	const parameters = recordsIn(context.getNodeParameter('parameters.parameter', [])).map(
		parameterIn,
	);
	const repeated = twice(parameters.map(({ name }) => name));
	if (repeated) throw wrong('Parameters', `has the name ${repeated} twice`);
	return parameters;
}

/** Reads how long the assistant waits, in seconds. */
export const readTimeout = (context: IHookFunctions | IWebhookFunctions): number =>
	timeoutIn(context.getNodeParameter('timeout'));

/** Reads the method of the tool's requests. */
export function readMethod(context: IHookFunctions | IWebhookFunctions): string {
	const method = asText(context.getNodeParameter('method'));
	if (METHODS.includes(method)) return method;
	throw wrong('Method', `must be one of ${METHODS.join(', ')}`);
}

/**
 * Reads the tool that the node describes, and checks it against the limits of the service, so that
 * nothing is registered when a field is wrong.
 *
 * @throws {InvalidInput} that names the first wrong field
 */
export function readDefinition(context: IHookFunctions): ToolDefinition {
	const field = (name: string) => context.getNodeParameter(name, '');
	const headers = recordsIn(field('options.headers.header')).map(headerIn);
	const repeated = twice(headers.map(({ name }) => name));
	if (repeated) throw wrong('Headers', `has the name ${repeated} twice`);
	text('Fallback Answer', field('fallbackAnswer'));
	return {
		name: text('Name', field('name'), toolRules.name),
		description: text('Description', field('description'), toolRules.description),
		method: readMethod(context),
		timeout: readTimeout(context),
		headers,
		schema: readParameters(context),
	};
}
