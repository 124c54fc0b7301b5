import { limits } from '../../../../shared/fields/limits';
import type { Field } from '../../../fields/routing';

/** The limits of a form are the wider ones of both generations (public-service: Limits). */
const contract = { ...limits.createAssistant, ...limits.newerAssistant };

/** The settings whose limits or default have a certain shape in the contract. */
type SettingWith<Shape> = {
	[Name in keyof typeof contract]: (typeof contract)[Name] extends Shape ? Name : never;
}[keyof typeof contract];

/** What the contract does not say of a setting. */
type Described = Pick<Field, 'displayName' | 'name' | 'hint'> & { description: string };

const send = (property: string): Field['routing'] => ({ send: { type: 'body', property } });

/**
 * A number.
 *
 * @param property in the request
 * @param note what else the description says, in a sentence
 */
export function numberSetting(
	property: SettingWith<{ minValue: number; default: number }>,
	{ description, ...field }: Described,
	note = '',
): Field {
	const { default: initial, ...typeOptions } = contract[property];
	const { minValue, maxValue } = typeOptions;
	return {
		...field,
		type: 'number',
		typeOptions,
		default: initial,
		description: `${description}, from ${minValue} to ${maxValue}.${note} Assumed default: ${initial}.`,
		routing: send(property),
	};
}

/** A switch, which users add to switch it on. */
export const switchSetting = (
	property: SettingWith<{ default: boolean }>,
	{ description, ...field }: Described,
): Field => ({
	...field,
	type: 'boolean',
	default: true,
	description: `${description}. Assumed default: ${contract[property].default ? 'on' : 'off'}.`,
	routing: send(property),
});

/** A choice. */
export function choiceSetting(
	property: SettingWith<{ default: string }>,
	{ description, ...field }: Described,
	options: Array<{ name: string; value: string; description: string }>,
): Field {
	const { default: initial } = contract[property];
	const assumed = options.find(({ value }) => value === initial)?.name;
	return {
		...field,
		type: 'options',
		options,
		default: initial,
		description: `${description}. Assumed default: ${assumed}.`,
		routing: send(property),
	};
}
