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
	/** Whether a number in place of the text must be whole, and exact. */
	isWhole?: boolean;
}

/** A field with a rule for its text. n8n ignores the rule, and the nodes check it. */
export interface RuledField extends INodeProperties {
	rule?: TextRule;
	/** Whether each entry of a list must have another name. */
	hasUniqueNames?: boolean;
	/** The fields of an entry, if the field is a list in JSON. */
	entries?: RuledField[];
	/** Whether a field in JSON takes any list, besides an object. */
	takesList?: boolean;
	options?: Array<INodePropertyOptions | RuledFieldGroup | RuledField>;
}

/** The fields of an entry in a list. */
export interface RuledFieldGroup extends INodePropertyCollection {
	values: RuledField[];
	hasUniqueNames?: boolean;
}

/**
 * A phone number. Certainly none is a text without any digit, one that is longer than any number with a
 * remark could be, and a number below zero, with decimals or with an exponent, as spreadsheets make them
 * of phone numbers. The service knows the rest.
 */
export const PHONE_NUMBER: TextRule = {
	maxLength: 100,
	pattern: [
		'^(?![\\s\\p{Cf}]*[\\p{Pd}−])',
		'(?!(?:\\d{7,}[.,]\\d+|\\d+[.,]\\d{1,2})$)',
		'(?![\\d.,]+ ?[Ee] ?[+-]?\\d+$)',
		'[^]*\\p{Nd}',
	].join(''),
	isWhole: true,
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
