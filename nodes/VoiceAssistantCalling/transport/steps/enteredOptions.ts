import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { invalidField } from '../../../shared/client/errors';
import { isOn } from '../../../shared/fields/booleans';
import { isEmpty } from '../../../shared/fields/values';
import { asText, isRecord } from '../../../shared/values/json';
import { checkFields } from '../../fields/checkFields';
import { readValue } from '../../fields/fieldValues';
import type { Field } from '../../fields/routing';
import {
	runLimits,
	spendingOptions,
	spendingOptionsOfPeople,
} from '../../resources/spendingOptions';

/** n8n knows the function in any case of its letters (n8n.md#values-of-expressions). */
const FROM_MODEL = /\$fromai\b/i;

/**
 * What the user entered as *Options*, before n8n evaluates it. n8n takes no expression for all of them (n8n.md#values-of-expressions).
 *
 * @throws {InvalidInput} when a language model would choose what holds it back
 */
export function enteredOptions(context: Pick<IExecuteFunctions, 'getNode'>): IDataObject {
	const entered = context.getNode().parameters[spendingOptions.name];
	const options: IDataObject = isRecord(entered) ? entered : {};
	for (const { name, displayName } of spendingOptionsOfPeople.options) {
		if (!FROM_MODEL.test(asText(options[name]))) continue;
		throw invalidField(
			displayName,
			'cannot be chosen by a model',
			'Enter a value, or an expression without $fromAI. Nothing was sent.',
		);
	}
	return options;
}

/** Reads one of *Options*, so that n8n does not evaluate the others. @throws {InvalidInput} when its expression fails */
export const readOption = (context: IExecuteFunctions, option: Field, item: number): unknown =>
	readValue(context, option, item, `${spendingOptions.name}.${option.name}`);

/** An option without a value could send what the user wants to hold back. */
export const emptyOption = (label: string) =>
	invalidField(
		label,
		'is empty',
		'Check its expression, or remove the option. Nothing was sent for this item.',
	);

/**
 * *Dry Run* and *Maximum Items* of an item.
 *
 * @param entered see {@link enteredOptions}
 * @returns `maximumItems` is undefined when the user has not set it
 * @throws {InvalidInput} when one is wrong or empty
 */
export function readRunLimits(
	context: IExecuteFunctions,
	entered: IDataObject,
	item: number,
): { isDryRun: boolean; maximumItems?: number } {
	const shown = runLimits.filter(({ name }) => name in entered);
	const options = Object.fromEntries(
		shown.map((field) => [field.name, readOption(context, field, item)]),
	);
	checkFields([spendingOptions], { [spendingOptions.name]: options });
	const empty = shown.find(({ name }) => isEmpty(options[name]));
	if (empty) throw emptyOption(empty.displayName);
	const { dryRun, maximumItems } = options;
	return {
		isDryRun: isOn(dryRun),
		...(maximumItems !== undefined && { maximumItems: Number(maximumItems) }),
	};
}
