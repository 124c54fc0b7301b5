import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** What a text must be. The limits and most patterns are those of the contract. */
export interface TextRule {
	/** Characters are counted as in JSON Schema: an emoji is one. */
	minLength?: number;
	maxLength?: number;
	/** A regular expression, as text, because n8n keeps descriptions as JSON. */
	pattern?: string;
	/** What is said about a text that does not fit: *must contain only digits*. */
	problem?: string;
}

/** A field with a rule for its text. n8n ignores the rule, and the nodes check it. */
export interface RuledField extends INodeProperties {
	rule?: TextRule;
	options?: Array<INodePropertyOptions | RuledFieldGroup | RuledField>;
}

/** The fields of an entry in a list. */
export interface RuledFieldGroup extends INodePropertyCollection {
	values: RuledField[];
}

/** A phone number. Only a text without any digit is certainly none: the service knows the rest. */
export const PHONE_NUMBER: TextRule = {
	pattern: '\\p{Nd}',
	problem: 'must be a phone number: use the country code, such as +4915112345678',
};

/** The shape of an e-mail address. The service may know more. */
export const EMAIL: TextRule = {
	pattern: '^[^\\s@]+@[^\\s@]+$',
	problem: 'must be an e-mail address, such as nathan@example.com',
};

/** An address that the service can send requests to. */
export const WEB_ADDRESS: TextRule = {
	pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+(?:[/?#]\\S*)?$',
	problem: 'must be an address with http:// or https://, such as https://example.com/calls',
};

/** A text of a certain shape without the spaces around it, which copied cells often have. */
export const trimmed = (text: string, { pattern }: TextRule): string =>
	pattern === undefined ? text : text.trim();

/** Two units of JavaScript's text make one character, such as an emoji. */
const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

const characterCount = (text: string) => text.length - (text.match(PAIRS)?.length ?? 0);

function lengthProblem(
	text: string,
	{ minLength = 0, maxLength = Infinity }: TextRule,
): string | undefined {
	const count = characterCount(text);
	if (count < minLength) return `must have at least ${minLength} characters`;
	return count > maxLength
		? `must have at most ${maxLength} characters, and has ${count}`
		: undefined;
}

/**
 * Compares a text with a rule.
 *
 * @param text that is not empty
 * @returns what is wrong with it, to be read after the name of its field; undefined when it fits
 */
export function textProblem(text: string, rule: TextRule): string | undefined {
	const { pattern, problem } = rule;
	const wrongLength = lengthProblem(text, rule);
	if (wrongLength) return problem ?? wrongLength;
	return pattern !== undefined && !new RegExp(pattern, 'u').test(text) ? problem : undefined;
}
