import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InvalidInput } from '../shared/client/errors';
import { asText, recordsIn } from '../shared/client/json';
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

/** Carries the secret of the trigger in each request of the tool. */
export const TOKEN_HEADER = 'X-Tool-Token';

/** The limits of the contract (Mid call tool, Limits). */
const LIMITS = { description: 255, parameterDescription: [3, 255], timeout: [1, 30] } as const;
const NAME = /^[a-z][a-z_]*$/;
const PARAMETER_NAME = /^[A-Za-z][A-Za-z_]{1,31}$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]+$/;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const TYPES: unknown[] = ['string', 'number', 'boolean'];

const wrong = (field: string, problem: string) =>
	new InvalidInput({
		message: `'${field}' ${problem}`,
		nextStep: 'Change it in the Mid Call Tool Trigger, then publish again.',
	});

function text(field: string, value: unknown, min: number, max: number): string {
	const entered = asText(value).trim();
	if (entered === '') throw wrong(field, 'is empty');
	if (entered.length < min) throw wrong(field, `must have at least ${min} characters`);
	if (entered.length > max) {
		throw wrong(field, `must have at most ${max} characters, and has ${entered.length}`);
	}
	return entered;
}

function matching(field: string, value: unknown, pattern: RegExp, rule: string): string {
	const entered = text(field, value, 1, Infinity);
	if (!pattern.test(entered)) throw wrong(field, rule);
	return entered;
}

function twice(names: string[]): string | undefined {
	const known = names.map((name) => name.toLowerCase());
	return names.find((_, index) => known.indexOf(known[index] ?? '') < index);
}

function parameterIn(row: Record<string, unknown>, index: number): ToolParameter {
	const field = (name: string) => `Parameters → ${index + 1} → ${name}`;
	const [min, max] = LIMITS.parameterDescription;
	if (!TYPES.includes(row.type))
		throw wrong(field('Type'), 'must be Text, Number or True or False');
	return {
		name: matching(
			field('Name'),
			row.name,
			PARAMETER_NAME,
			'must have 2 to 32 letters and underscores, and start with a letter',
		),
		type: row.type as ToolParameter['type'],
		description: text(field('Description'), row.description, min, max),
	};
}

function headerIn(row: Record<string, unknown>, index: number): Header {
	const field = (name: string) => `Headers → ${index + 1} → ${name}`;
	const header = {
		name: matching(field('Name'), row.name, HEADER_NAME, 'is not the name of an HTTP header'),
		value: matching(
			field('Value'),
			row.value,
			HEADER_VALUE,
			'has a character that a header cannot carry',
		),
	};
	if (header.name.toLowerCase() === TOKEN_HEADER.toLowerCase()) {
		throw wrong(field('Name'), `cannot be ${TOKEN_HEADER}, which the trigger uses itself`);
	}
	return header;
}

function timeoutIn(value: unknown): number {
	const [min, max] = LIMITS.timeout;
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
	text('Fallback Answer', field('fallbackAnswer'), 1, Infinity);
	return {
		name: matching(
			'Name',
			field('name'),
			NAME,
			'must contain only lowercase letters and underscores, and start with a letter',
		),
		description: text('Description', field('description'), 1, LIMITS.description),
		method: readMethod(context),
		timeout: readTimeout(context),
		headers,
		schema: readParameters(context),
	};
}
