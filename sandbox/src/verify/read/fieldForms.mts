import { asAssumed, differs, notChecked, otherForm, readCheck } from '../check.mts';
import { isObject, safeNames, typeName } from '../describe.mts';
import { fieldValues, type FieldValue } from './records.mts';
import { readTimestamp } from './timestamps.mts';

const NO_RECORDS = 'The account has no record that shows it.';

const isId = ({ field, schema }: FieldValue): boolean =>
	/(^|_)id$/.test(field) && schema.types.includes('integer');

const isNumber = (each: FieldValue): boolean =>
	!isId(each) && (schema(each).includes('integer') || schema(each).includes('number'));

const isTime = ({ field, kind }: FieldValue): boolean =>
	kind === 'call' && (field === 'created_at' || field === 'updated_at');

const schema = ({ schema: { types } }: FieldValue): string[] => types;

const isNumeral = (value: unknown): boolean =>
	typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);

interface Forms {
	key: string;
	expected: string;
	/** What values look like, by the value of the assumption. The first is the assumed one. */
	words: { [form: string]: string };
	/** The form of a value. */
	form: (value: FieldValue) => string | undefined;
	/** What the nodes make of each of these forms. */
	advice: string;
	/** In place of `advice`, when there is a form that is none of `words`. */
	otherAdvice?: string;
}

/** A check of how values are written. A value without a form says nothing. */
const formCheck = ({ key, expected, words, form, advice, otherAdvice }: Forms) =>
	readCheck(key, expected, async (run) => {
		const values = (await fieldValues(run)).flatMap((value) => {
			const seen = form(value);
			return seen === undefined ? [] : [{ form: seen, field: value.field }];
		});
		const [first, ...others] = new Set(values.map((value) => value.form));
		if (first === undefined) return notChecked(expected, NO_RECORDS);
		const [assumed] = Object.keys(words);
		const certainty = values.length > 1 ? 'certain' : 'likely';
		if (others.length === 0 && first === assumed) return asAssumed(expected, expected, certainty);
		const unexpected = values.filter((value) => value.form !== assumed);
		const fields = safeNames(unexpected.map(({ field }) => field));
		const seen = unexpected.map((value) => words[value.form] ?? 'another form');
		const isOther = unexpected.some((value) => !(value.form in words));
		const shownAdvice = isOther ? otherAdvice : advice;
		const find = isOther && otherAdvice !== undefined ? differs : otherForm;
		return find(expected, `${[...new Set(seen)].join(', ')} (${fields})`, {
			certainty,
			...(others.length === 0 && first in words && { value: first }),
			advice: shownAdvice ?? advice,
		});
	});

const READS_BOTH = 'The nodes read both forms, and their output is the same.';

const idForm = formCheck({
	key: 'id-form',
	expected: 'IDs are numbers',
	words: { numbers: 'numbers', texts: 'texts of digits' },
	form: (each) => (isId(each) ? numberForm(each.value) : undefined),
	advice: READS_BOTH,
});

const numberFormCheck = formCheck({
	key: 'number-form',
	expected: 'numbers are numbers',
	words: { numbers: 'numbers', texts: 'texts' },
	form: (each) => (isNumber(each) ? numberForm(each.value) : undefined),
	advice: READS_BOTH,
});

/** As the nodes read them. */
const BOOLEAN_WORD = /^(yes|no|y|n|t|f|on|off)$/i;

const booleanForm = formCheck({
	key: 'boolean-form',
	expected: 'booleans are true and false',
	words: { booleans: 'true and false', numbers: '1 and 0', texts: 'texts', words: 'yes and no' },
	form({ schema: { types }, value }) {
		if (!types.includes('boolean')) return undefined;
		if (typeof value === 'boolean') return 'booleans';
		if (value === 0 || value === 1) return 'numbers';
		if (typeof value !== 'string') return undefined;
		if (BOOLEAN_WORD.test(value)) return 'words';
		return /^(true|false)$/i.test(value) ? 'texts' : undefined;
	},
	advice: READS_BOTH,
});

function numberForm(value: unknown): string | undefined {
	if (typeof value === 'number') return 'numbers';
	return isNumeral(value) ? 'texts' : undefined;
}

const timestampForm = formCheck({
	key: 'timestamp-form',
	expected: 'calls have `YYYY-MM-DD HH:MM:SS`',
	words: {
		...{ plain: 'plain', iso: 'ISO 8601', rails: 'with UTC', mail: 'as in mails' },
		...{ unix: 'seconds since 1970', 'unix-fraction': 'seconds since 1970, with parts' },
	},
	form: (each) =>
		isTime(each) && each.value !== null ? readTimestamp(each.value).form : undefined,
	advice: 'The nodes read both forms, and their output is the same, in UTC.',
	otherAdvice:
		'The nodes read ISO 8601, times with UTC behind them, times as in mails, and seconds and milliseconds since 1970. A time in another form is in their output as it is: read it in the workflow.',
});

const emptyObjects = formCheck({
	key: 'empty-objects',
	expected: 'objects without fields are {}',
	words: { objects: '{}', arrays: '[]', nulls: 'null' },
	form({ schema: { isOpen }, value }) {
		if (!isOpen) return undefined;
		if (value === null) return 'nulls';
		if (Array.isArray(value)) return value.length === 0 ? 'arrays' : undefined;
		return isObject(value) && Object.keys(value).length === 0 ? 'objects' : undefined;
	},
	advice: READS_BOTH,
});

const transcriptForm = formCheck({
	key: 'transcript-form',
	expected: 'a transcript is a text',
	words: { text: 'a text', turns: 'a list of turns' },
	form({ field, value }) {
		if (field !== 'transcript') return undefined;
		if (typeof value === 'string') return 'text';
		return Array.isArray(value) && value.every(isTurn) ? 'turns' : undefined;
	},
	advice: 'The nodes give the transcript as a text, and the turns as `transcript_entries`.',
});

/** By the names that the nodes look for. */
const isTurn = (value: unknown): boolean =>
	isObject(value) && ['content', 'text', 'message'].some((name) => name in value);

const callEmptyValues = formCheck({
	key: 'call-empty-values',
	expected: 'texts of a call that are empty are ""',
	words: { empty: '""', nulls: 'null' },
	form({ kind, field, value }) {
		const isText = /^(transcript|.*_phone_number)$/.test(field);
		if (kind !== 'call' || !isText) return undefined;
		if (value === null) return 'nulls';
		return value === '' ? 'empty' : undefined;
	},
	advice: READS_BOTH,
});

const decimalStrings = formCheck({
	key: 'decimal-strings',
	expected: 'decimals in texts have at least two digits after the point',
	words: { two: 'two digits', fewer: 'fewer digits' },
	form({ kind, field, value }) {
		const isDecimal = /^(llm_temperature|voice_\w+|speech_speed|ambient_sound_volume)$/.test(field);
		if (kind !== 'assistant' || field === 'voice_id' || !isDecimal || !isNumeral(value)) {
			return undefined;
		}
		return /\.\d\d/.test(String(value)) ? 'two' : 'fewer';
	},
	advice: 'The nodes read every number of digits.',
});

/** Values of a type that none of the other checks explains. */
const fieldTypes = readCheck(
	'field-types',
	'the types of the description',
	async (run, expected) => {
		const values = await fieldValues(run);
		if (values.length === 0) return notChecked(expected, NO_RECORDS);
		const others = values.filter((each) => !isExplained(each));
		if (others.length === 0) return asAssumed(expected);
		const seen = new Set(
			others.map(({ kind, field, value }) => `${field} of a ${kind}: ${typeName(value)}`),
		);
		return differs(expected, [...seen].slice(0, 10).join('; '), {
			advice:
				'The nodes read a phone number as a number, a word or a URL in an object, and JSON in a text. They pass other values on as they are, but null as an empty value such as "".',
		});
	},
);

function isExplained(each: FieldValue): boolean {
	const { field, value, schema: described } = each;
	if (described.types.length === 0 || described.types.includes(jsonType(value))) return true;
	if (isTime(each)) return true;
	if (isId(each) || isNumber(each)) {
		return numberForm(value) !== undefined;
	}
	if (described.types.includes('boolean')) {
		return (
			value === 0 ||
			value === 1 ||
			(typeof value === 'string' && (BOOLEAN_WORD.test(value) || /^(true|false)$/i.test(value)))
		);
	}
	if (described.isOpen) return value === null || (Array.isArray(value) && value.length === 0);
	if (field === 'transcript')
		return value === null || (Array.isArray(value) && value.every(isTurn));
	return value === null && /_phone_number$|^campaign_name$|^recording_url$/.test(field);
}

/** The type as a schema names it. A whole number is an `integer`, which also fits `number`. */
function jsonType(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return typeof value;
}

export const FIELD_FORM_CHECKS = [
	idForm,
	numberFormCheck,
	booleanForm,
	timestampForm,
	emptyObjects,
	transcriptForm,
	callEmptyValues,
	decimalStrings,
	fieldTypes,
];
