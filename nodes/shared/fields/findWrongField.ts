import { isId } from '../values/ids';
import { asText, isRecord } from '../values/json';
import { booleanProblem } from './booleans';
import { toDay } from './dates';
import { findWithoutResult, isWithoutResult, numberProblem, WITHOUT_RESULT } from './numbers';
import { textProblem, trimmed, type RuledField, type RuledFieldGroup } from './textRule';
import { getLocatorValue, isEmpty, shortText } from './values';

/** A field with a wrong value. Each node says it in its own words. */
export interface WrongField {
	field: RuledField;
	/** The name of the field on the screen: *Headers → 1 → Name*. */
	label: string;
	/** What is wrong, to be read after the label. */
	problem: string;
	reason: 'empty' | 'value' | 'repeated name';
	value?: unknown;
}

/** Whether a field must have a value. */
type NeedsValue = (field: RuledField) => boolean;

export const AN_ID = 'a whole number from 1, such as 42';
export const A_DATE = 'such as 2026-01-31';

/** Whether a field takes the ID of a record. */
export const isIdField = ({ name }: RuledField) => name.endsWith('Id');

/** The values that a list of options has. */
export const getOptions = ({ options }: RuledField) =>
	(options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));

/** The value of a JSON field: text of the user, or what an expression gives. */
const parseContent = (value: unknown): unknown =>
	typeof value === 'string' ? JSON.parse(value) : value;

function jsonProblem(
	value: unknown,
	{ entries, takesList, placeholder = '' }: RuledField,
): string | undefined {
	try {
		const content = parseContent(value);
		const wrong = typeof value === 'object' && value !== null && findWithoutResult(value);
		if (wrong) return `${WITHOUT_RESULT} in '${wrong}'`;
		if (entries) return Array.isArray(content) ? undefined : `must be a JSON list, ${placeholder}`;
		if (isRecord(content) || (takesList && Array.isArray(content))) return undefined;
		return `must be a JSON object${takesList ? ' or list' : ''}, such as {"city": "Berlin"}`;
	} catch {
		return 'is not valid JSON: put names and texts in double quotes, and a comma between entries';
	}
}

function optionProblem(value: unknown, field: RuledField): string | undefined {
	const values: unknown[] = getOptions(field);
	if (values.length === 0) return textValueProblem(value, field);
	return values.includes(value) ? undefined : `must be one of: ${values.join(', ')}`;
}

/**
 * What is wrong with the values of a field of the type multiOptions, or undefined. An expression can give
 * any value, and n8n does not check it (n8n.md#values-of-expressions).
 */
export function optionsProblem(values: unknown[], field: RuledField): string | undefined {
	const known: unknown[] = getOptions(field);
	const isKnown = values.every((value) => known.includes(value));
	return isKnown ? undefined : `must be one or more of: ${known.join(', ')}`;
}

/** What a date or an object becomes when an expression makes a text of it without success. */
const NO_DATE = ['Invalid Date', 'Invalid DateTime'];
const NO_TEXT = '[object Object]';

function textValueProblem(value: unknown, { rule = {} }: RuledField): string | undefined {
	if (typeof value === 'object' || value === NO_TEXT)
		return 'must be text, not an object or a list';
	if (NO_DATE.includes(value as string)) return 'has a date that is not valid';
	if (isWithoutResult(value) || value === 'NaN') return WITHOUT_RESULT;
	if (rule.isWhole && typeof value === 'number' && !Number.isSafeInteger(value))
		return rule.problem;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return textProblem(trimmed(text, rule), rule);
}

/** What is wrong with a filled field, or undefined. */
function valueProblem(value: unknown, field: RuledField): string | undefined {
	if (isIdField(field)) return isId(value) ? undefined : `must be an ID: ${AN_ID}`;
	switch (field.type) {
		case 'number':
			return numberProblem(value, field);
		case 'json':
			return jsonProblem(value, field);
		case 'dateTime':
			return toDay(value) ? undefined : `must be a date, ${A_DATE}`;
		case 'options':
			return optionProblem(value, field);
		case 'multiOptions':
			return optionsProblem([value].flat(), field);
		case 'boolean':
			return booleanProblem(value);
		default:
			return textValueProblem(value, field);
	}
}

/**
 * Finds a name that a list has twice, as it is written the second time. Case makes no difference to the
 * headers of HTTP, and a person does not hear it in the name of a parameter.
 */
function findRepeatedName(records: Array<Record<string, unknown>>): string | undefined {
	const names = records.map(({ name }) => asText(name).trim());
	const known = names.map((name) => name.toLowerCase());
	return names.find((_, index) => known.indexOf(known[index] ?? '') < index);
}

/** Checks the fields inside a list, see {@link findWrongValue}. */
function findWrongEntry(
	field: RuledField,
	{ values, hasUniqueNames }: Pick<RuledFieldGroup, 'values' | 'hasUniqueNames'>,
	content: unknown,
	needsValue: NeedsValue,
	label: string,
): WrongField | undefined {
	if (isEmpty(content)) return undefined;
	if (!Array.isArray(content)) {
		return { field, label, problem: 'must be a list', reason: 'value', value: content };
	}
	const records = (content as unknown[]).map((entry) => (isRecord(entry) ? entry : {}));
	for (const [index, record] of records.entries()) {
		const wrong = findWrongField(values, record, needsValue, `${label} → ${index + 1} → `);
		if (wrong) return wrong;
	}
	const repeated = hasUniqueNames && findRepeatedName(records);
	if (!repeated) return undefined;
	const problem = `has the name ${shortText(repeated)} twice`;
	return { field, label, problem, reason: 'repeated name' };
}

/** Checks the fields inside a collection, see {@link findWrongValue}. */
function findWrongMember(
	field: RuledField,
	value: unknown,
	needsValue: NeedsValue,
	label: string,
): WrongField | undefined {
	if (isEmpty(value)) return undefined;
	if (!isRecord(value)) {
		return { field, label, problem: 'must be filled in field by field', reason: 'value', value };
	}
	for (const option of field.options ?? []) {
		if (!(option.name in value)) continue;
		const content = value[option.name];
		const wrong =
			'values' in option
				? findWrongEntry(field, option, content, needsValue, label)
				: 'type' in option && findWrongValue(option, content, needsValue);
		if (wrong) return wrong;
	}
	return undefined;
}

/**
 * Checks the value of a field against its description, and the fields inside it: required, limits, options,
 * type, text. n8n checks fixed values in the editor only, and an expression can give any value.
 *
 * @param needsValue whether a field must have a value
 * @param label the name of the field on the screen
 * @returns the first wrong field
 */
export function findWrongValue(
	field: RuledField,
	content: unknown,
	needsValue: NeedsValue,
	label = field.displayName,
): WrongField | undefined {
	const { type, required, entries, hasUniqueNames } = field;
	const value = type === 'resourceLocator' ? getLocatorValue(content) : content;
	if (type === 'notice' || type === 'hidden') return undefined;
	if (type === 'collection' || type === 'fixedCollection') {
		return findWrongMember(field, value, needsValue, label);
	}
	const isBlank = typeof value === 'string' && value.trim() === '';
	if (isEmpty(value) || (required && isBlank)) {
		return needsValue(field) ? { field, label, problem: 'is empty', reason: 'empty' } : undefined;
	}
	const problem = valueProblem(value, field);
	if (problem) return { field, label, problem, reason: 'value', value };
	if (!entries) return undefined;
	const group = { values: entries, hasUniqueNames };
	return findWrongEntry(field, group, parseContent(value), needsValue, label);
}

/**
 * Checks the values of some fields, see {@link findWrongValue}.
 *
 * @param labelPrefix goes in front of a field's name, for fields inside a list
 */
export function findWrongField(
	fields: RuledField[],
	values: Record<string, unknown>,
	needsValue: NeedsValue,
	labelPrefix = '',
): WrongField | undefined {
	for (const field of fields) {
		const label = labelPrefix + field.displayName;
		const wrong = findWrongValue(field, values[field.name], needsValue, label);
		if (wrong) return wrong;
	}
	return undefined;
}
