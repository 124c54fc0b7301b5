import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import type { Field, FieldGroup } from '../../../nodes/VoiceAssistantCalling/fields/routing.ts';

/** A place in the parameters of an operation that takes its value from an item. */
export interface Slot {
	/** The key of its value in the item. */
	key: string;
	field: Field;
}

/** The parameters of an operation, filled in by expressions. */
export interface Template {
	parameters: INodeParameters;
	slots: Slot[];
}

/** Ways in which people use a value in an expression. The first one is the usual one. */
const EXPRESSIONS: Array<(key: string) => string> = [
	(key) => `={{ $json.${key} }}`,
	(key) => `=Text {{ $json.${key} }}`,
	(key) => `={{ [$json.${key}] }}`,
	(key) => `={{ { "a.b": $json.${key} } }}`,
	(key) => `={{ $json.${key}.more.of.it }}`,
	(key) => `={{ DateTime.fromISO($json.${key}) }}`,
	(key) => `={{ new Date($json.${key}) }}`,
	(key) => `={{ String($json.${key}) }}`,
	() => '={{ $today }}',
	() => '={{ $now.minus({ days: 1 }) }}',
	() => '={{ undefined }}',
];

const expression = fc.oneof(
	{ weight: 30, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.nat(EXPRESSIONS.length - 1) },
);

const locator = (value: string) => ({ __rl: true, mode: 'id', value });

/** How many optional fields of a collection or form are filled in at once. */
const MOST_OPTIONAL = 4;

/** Fills in the fields of an operation at random: all required ones, and some of the others. */
export function template(fields: Field[], gen: fc.GeneratorValue): Template {
	const slots: Slot[] = [];

	const getValue = (field: Field): unknown => {
		if (field.noDataExpression) return gen(fc.constantFrom, ...getChoices(field));
		const key = `value${slots.length}`;
		slots.push({ key, field });
		const text = EXPRESSIONS[gen(() => expression)]?.(key) ?? '';
		return field.type === 'resourceLocator' ? locator(text) : text;
	};
	const toEntry = ({ values }: FieldGroup) =>
		Object.fromEntries(values.map((value) => [value.name, fieldValue(value)]));
	const fieldValue = (field: Field): unknown => {
		const options = field.options ?? [];
		if (field.type === 'collection') return filled(options.filter((option) => 'type' in option));
		if (field.type !== 'fixedCollection') return getValue(field);
		const groups = options.filter((option) => 'values' in option);
		const count = gen(fc.integer, { min: 1, max: 2 });
		return Object.fromEntries(
			groups.map((group) => [group.name, Array.from({ length: count }, () => toEntry(group))]),
		);
	};
	const chooseSome = (members: Field[]): Field[] => {
		const names = members.map(({ name }) => name);
		const maxLength = Math.min(MOST_OPTIONAL, names.length);
		// An update without any field is never sent.
		const chosen = gen(fc.subarray<string>, names, {
			minLength: Math.min(1, maxLength),
			maxLength,
		});
		return members.filter(({ name }) => chosen.includes(name));
	};
	const filled = (members: Field[]) =>
		Object.fromEntries(chooseSome(members).map((field) => [field.name, fieldValue(field)]));

	const shown = fields.filter(({ type }) => type !== 'notice');
	const optional = chooseSome(shown.filter(({ required }) => !required));
	const parameters = Object.fromEntries(
		shown
			.filter((field) => field.required || optional.includes(field))
			.map((field) => [field.name, fieldValue(field)]),
	);
	return { parameters: parameters as INodeParameters, slots };
}

/** The values that a field without expressions can have. */
function getChoices({ options = [], default: initial }: Field): unknown[] {
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	return choices.length > 0 ? choices : [initial];
}
