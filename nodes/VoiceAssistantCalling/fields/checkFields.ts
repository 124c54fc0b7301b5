import { invalidField, type InvalidInput } from '../../shared/client/errors';
import {
	A_DATE,
	AN_ID,
	findWrongField,
	findWrongValue,
	getOptions,
	isIdField,
	type WrongField,
} from '../../shared/fields/findWrongField';
import type { RuledField } from '../../shared/fields/textRule';
import { shortText } from '../../shared/fields/values';
import { isShown, type Values } from './fieldValues';
import type { Field } from './routing';

/** Whether a field narrows a list. Without its value, it would let all records through. */
const isFilter = ({ routing }: RuledField) => routing?.send?.type === 'query';

const needsValue = (field: RuledField) => field.required === true || isFilter(field);

/** A date such as 1/2/2026: people write the day or the month first. */
const isLocalDate = (value: unknown) =>
	typeof value === 'string' && /^\s*\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/.test(value);

/** What a user can enter into an empty filter. */
function wantedValue(field: RuledField): string {
	const options = getOptions(field);
	if (isIdField(field)) return `an ID: ${AN_ID}`;
	if (field.type === 'dateTime') return `a date, ${A_DATE}`;
	if (options.length > 0) return `one of: ${options.join(', ')}`;
	return field.placeholder?.replace(/^e\.g\. /, 'a value such as ') ?? 'a value';
}

function hint({ field, reason, value }: WrongField): string {
	if (reason === 'repeated name') return 'Rename or remove one';
	if (reason === 'empty') {
		return isFilter(field)
			? `Enter ${wantedValue(field)}. Or remove the filter`
			: 'Fill it in, or check its expression';
	}
	const isLocal = field.type === 'dateTime' && isLocalDate(value);
	const order = isLocal ? '. Write the year, then the month, then the day' : '';
	return `The value is: ${shortText(value)}${order}`;
}

const toInvalidInput = (wrong: WrongField): InvalidInput =>
	invalidField(wrong.label, wrong.problem, `${hint(wrong)}. Nothing was sent for this item.`);

/**
 * Checks one field, and the fields inside it.
 *
 * @param content the value of the field
 * @param label the name of the field on the screen
 * @throws {InvalidInput} that names the first wrong field
 */
export function checkField(field: Field, content: unknown, label: string): void {
	const wrong = findWrongValue(field, content, needsValue, label);
	if (wrong) throw toInvalidInput(wrong);
}

/**
 * Checks the values of the fields that are on the screen. A value that narrows a list must not be empty.
 *
 * @throws {InvalidInput} that names the first wrong field
 */
export function checkFields(fields: Field[], values: Values): void {
	const shown = fields.filter((field) => isShown(field, values));
	const wrong = findWrongField(shown, values, needsValue);
	if (wrong) throw toInvalidInput(wrong);
}
