import { InvalidInput } from '../../shared/client/errors';
import { isId } from '../../shared/client/ids';
import { asText, isRecord } from '../../shared/client/json';
import { booleanProblem } from '../../shared/fields/booleans';
import { isEmpty } from '../../shared/fields/isEmpty';
import { repeatedName } from '../../shared/fields/repeatedName';
import { shortText } from '../../shared/fields/shortText';
import { textProblem, trimmed } from '../../shared/fields/textRule';
import { dayOf } from './dates';
import { isShown, picked, type Values } from './fieldValues';
import type { Field, FieldGroup } from './routing';

const AN_ID = 'a whole number from 1, such as 42';
const A_DATE = 'such as 2026-01-31';

/** Whether a field takes the ID of a record. */
export const isIdField = ({ name }: Field) => name.endsWith('Id');

const isNumeric = (value: unknown) =>
	typeof value === 'number'
		? Number.isFinite(value)
		: typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim());

function numberProblem(value: unknown, { typeOptions }: Field): string | undefined {
	const { minValue: min, maxValue: max, numberPrecision } = typeOptions ?? {};
	if (!isNumeric(value)) return 'must be a number';
	const number = Number(value);
	if (numberPrecision === 0 && !Number.isInteger(number)) return 'must be a whole number';
	const isTooLow = min !== undefined && number < min;
	const isTooHigh = max !== undefined && number > max;
	if (!isTooLow && !isTooHigh) return undefined;
	return max === undefined ? `must be at least ${min}` : `must be between ${min} and ${max}`;
}

/** The value of a JSON field: text of the user, or what an expression gives. */
const contentOfJson = (value: unknown): unknown =>
	typeof value === 'string' ? JSON.parse(value) : value;

function jsonProblem(value: unknown, { entries, placeholder = '' }: Field): string | undefined {
	try {
		const content = contentOfJson(value);
		if (entries) return Array.isArray(content) ? undefined : `must be a JSON list, ${placeholder}`;
		return isRecord(content) ? undefined : 'must be a JSON object, such as {"city": "Berlin"}';
	} catch {
		return 'is not valid JSON: put names and texts in double quotes, and a comma between entries';
	}
}

const optionsOf = ({ options }: Field) =>
	(options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));

function optionProblem(value: unknown, field: Field): string | undefined {
	const values = optionsOf(field);
	if (values.length === 0) return textValueProblem(value, field);
	return values.includes(value as string) ? undefined : `must be one of: ${values.join(', ')}`;
}

/** What a date or an object becomes when an expression makes a text of it without success. */
const NO_DATE = ['Invalid Date', 'Invalid DateTime'];
const NO_TEXT = '[object Object]';

function textValueProblem(value: unknown, { rule = {} }: Field): string | undefined {
	if (typeof value === 'object' || value === NO_TEXT)
		return 'must be text, not an object or a list';
	if (NO_DATE.includes(value as string)) return 'has a date that is not valid';
	if (rule.isWhole && typeof value === 'number' && !Number.isSafeInteger(value))
		return rule.problem;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return textProblem(trimmed(text, rule), rule);
}

/** What is wrong with a filled field, or undefined. */
function valueProblem(value: unknown, field: Field): string | undefined {
	if (isIdField(field)) {
		return isId(value) ? undefined : `must be an ID: ${AN_ID}`;
	}
	switch (field.type) {
		case 'number':
			return numberProblem(value, field);
		case 'json':
			return jsonProblem(value, field);
		case 'dateTime':
			return dayOf(value) ? undefined : `must be a date, ${A_DATE}`;
		case 'options':
			return optionProblem(value, field);
		case 'boolean':
			return booleanProblem(value);
		default:
			return textValueProblem(value, field);
	}
}

const invalidField = (label: string, problem: string, hint: string) =>
	new InvalidInput({
		message: `'${label}' ${problem}`,
		nextStep: `${hint}. Nothing was sent for this item.`,
		errors: { [label]: [problem] },
	});

/** A date such as 1/2/2026: people write the day or the month first. */
const isLocalDate = (value: unknown) =>
	typeof value === 'string' && /^\s*\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/.test(value);

function invalidValue(
	label: string,
	problem: string,
	value: unknown,
	{ type }: Partial<Field> = {},
) {
	const isLocal = type === 'dateTime' && isLocalDate(value);
	const hint = isLocal ? '. Write the year, then the month, then the day' : '';
	return invalidField(label, problem, `The value is: ${shortText(value)}${hint}`);
}

/** What a user can enter into an empty filter. */
function wantedValue(field: Field): string {
	const options = optionsOf(field);
	if (isIdField(field)) return `an ID: ${AN_ID}`;
	if (field.type === 'dateTime') return `a date, ${A_DATE}`;
	if (options.length > 0) return `one of: ${options.join(', ')}`;
	return field.placeholder?.replace(/^e\.g\. /, 'a value such as ') ?? 'a value';
}

function checkEntries(
	fields: Field[],
	entries: unknown[],
	label: string,
	{ hasUniqueNames }: Pick<Field, 'hasUniqueNames'>,
): void {
	const records = entries.map((entry) => (isRecord(entry) ? entry : {}));
	records.forEach((record, index) => {
		checkFields(fields, record, `${label} → ${index + 1} → `);
	});
	const repeated = hasUniqueNames && repeatedName(records.map(({ name }) => asText(name)));
	if (repeated) {
		throw invalidField(label, `has the name ${shortText(repeated)} twice`, 'Rename or remove one');
	}
}

function checkGroup(group: FieldGroup, content: unknown, label: string): void {
	if (isEmpty(content)) return;
	if (!Array.isArray(content)) throw invalidValue(label, 'must be a list', content);
	checkEntries(group.values, content, label, group);
}

/** Whether a field narrows a list. */
const isFilter = ({ routing }: Field) => routing?.send?.type === 'query';

/**
 * Checks one field, and the fields inside it.
 *
 * @param content the value of the field
 * @param label the name of the field on the screen
 * @throws {InvalidInput} that names the first wrong field
 */
export function checkField(field: Field, content: unknown, label: string): void {
	const value = picked(content);
	if (field.type === 'notice' || field.type === 'hidden') return;
	if (field.type === 'collection' || field.type === 'fixedCollection') {
		if (isEmpty(value)) return;
		if (!isRecord(value)) throw invalidValue(label, 'must be filled in field by field', value);
		for (const option of field.options ?? []) {
			if (!(option.name in value)) continue;
			if ('values' in option) checkGroup(option, value[option.name], label);
			else if ('type' in option) checkField(option, value[option.name], option.displayName);
		}
		return;
	}
	const isBlank = typeof value === 'string' && value.trim() === '';
	if (isEmpty(value) || (field.required && isBlank)) {
		// Without its value, a filter would let all records through.
		if (isFilter(field)) {
			throw invalidField(label, 'is empty', `Enter ${wantedValue(field)}. Or remove the filter`);
		}
		if (field.required) {
			throw invalidField(label, 'is empty', 'Fill it in, or check its expression');
		}
		return;
	}
	const problem = valueProblem(value, field);
	if (problem) throw invalidValue(label, problem, value, field);
	if (field.entries) checkEntries(field.entries, contentOfJson(value) as unknown[], label, field);
}

/**
 * Checks values against the descriptions of their fields: required, limits, options, type, text. n8n
 * checks fixed values in the editor only, and an expression can give any value.
 *
 * @param fields of an operation, or of an entry in a list
 * @param labelPrefix goes in front of a field's name, for fields inside a list
 * @throws {InvalidInput} that names the first wrong field
 */
export function checkFields(fields: Field[], values: Values, labelPrefix = ''): void {
	for (const field of fields) {
		if (isShown(field, values)) {
			checkField(field, values[field.name], labelPrefix + field.displayName);
		}
	}
}
