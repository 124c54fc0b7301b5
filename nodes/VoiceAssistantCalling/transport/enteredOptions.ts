import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isRecord } from '../../shared/values/json';
import { readValue } from '../fields/fieldValues';
import type { Field } from '../fields/routing';
import { spendingOptions } from '../resources/spendingOptions';

/** What the user entered as *Options*, before n8n evaluates it. n8n takes no expression for all of them (2.0, 2.41). */
export function enteredOptions(context: Pick<IExecuteFunctions, 'getNode'>): IDataObject {
	const options = context.getNode().parameters[spendingOptions.name];
	return isRecord(options) ? options : {};
}

/** Reads one of *Options*, so that n8n does not evaluate the others. @throws {InvalidInput} when its expression fails */
export const readOption = (context: IExecuteFunctions, option: Field, item: number): unknown =>
	readValue(context, option, item, `${spendingOptions.name}.${option.name}`);

/** An option without a value could send what the user wants to hold back. */
export const emptyOption = (label: string) =>
	new InvalidInput({
		message: `'${label}' is empty`,
		nextStep: 'Check its expression, or remove the option. Nothing was sent for this item.',
		errors: { [label]: ['is empty'] },
	});
