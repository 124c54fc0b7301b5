import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isEmpty } from '../../shared/fields/values';
import { asText, fromJsonText, isRecord } from '../../shared/values/json';
import { readValue } from '../fields/fieldValues';
import { PhoneNumberSet } from '../fields/phoneNumberSet';
import { sentPhoneNumbers } from '../fields/sendPhoneNumber';
import { doNotCall } from '../resources/spendingOptions';
import { emptyOption } from './emptyOption';

/** What an expression has that may give each item another list. `$('Table').all()` is the same for all. */
const OF_ITEM =
	/\$(json|binary|item|itemIndex|position|fromAI|node|input\.item)\b|\.(item|itemMatching|pairedItem)\b/i;

/** Texts have a number on each line, or one comma or semicolon between two. Two commas are a pause before an extension. */
const BETWEEN = /[\r\n]+|;(?!\s*ext)|(?<!,),(?!,)/i;

/**
 * The entries of a list, or of a text.
 *
 * @throws {InvalidInput} when they are rows, in which nobody knows where the number is
 */
function entriesOf(value: unknown): string[] {
	const list = fromJsonText(value);
	const values: unknown[] = Array.isArray(list) ? list.flat(Infinity) : [list];
	if (values.some(isRecord)) {
		const problem = 'must have phone numbers, and not whole rows';
		throw new InvalidInput({
			message: `'${doNotCall.displayName}' ${problem}`,
			nextStep:
				'Name the column, such as .map(row => row.json.phone_number) behind .all(). Nothing was sent for this item.',
			errors: { [doNotCall.displayName]: [problem] },
		});
	}
	return values
		.flatMap((entry) => (typeof entry === 'string' ? entry.split(BETWEEN) : [asText(entry)]))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** A number of a request that is on the list. */
export interface ListedNumber {
	phone_number: string;
	/** As the list has it. */
	entry: string;
}

/** The lists of *Do Not Call* of a run. */
export class DoNotCall {
	private readonly context: IExecuteFunctions;

	/** Whether all items have the same list, so that it is read once. */
	private readonly isCommon: boolean;

	private common: string[] | undefined;

	/** The numbers of the common list, by the default country code. */
	private readonly commonSets = new Map<string, Promise<PhoneNumberSet>>();

	private unreadable = 0;

	/** @param entered what the user entered, before n8n evaluates it */
	constructor(context: IExecuteFunctions, entered: unknown) {
		this.context = context;
		this.isCommon = !OF_ITEM.test(asText(entered));
	}

	/**
	 * Finds a phone number of a request that is on the list of its item.
	 *
	 * @param code the default country code in digits; empty for none
	 * @throws {InvalidInput} when the option is empty or has rows, or its expression fails
	 */
	async find(
		item: number,
		request: IHttpRequestOptions,
		code: string,
	): Promise<ListedNumber | undefined> {
		const numbers = await this.numbersOf(item, code);
		this.unreadable = Math.max(this.unreadable, numbers.unreadable);
		for (const phone_number of Object.values(sentPhoneNumbers(request))) {
			const entry = numbers.find(phone_number);
			if (entry !== undefined) return { phone_number, entry };
		}
		return undefined;
	}

	/** What n8n's log says of the lists. */
	get warnings(): string[] {
		return this.unreadable > 0
			? [
					`'${doNotCall.displayName}' has entries that are no phone numbers: ${this.unreadable}. They stop nobody.`,
				]
			: [];
	}

	private read(item: number): string[] {
		const list = readValue(this.context, doNotCall, item, `options.${doNotCall.name}`);
		// A table can be empty.
		if (isEmpty(list) && !Array.isArray(list)) throw emptyOption(doNotCall.displayName);
		return entriesOf(list);
	}

	private async numbersOf(item: number, code: string): Promise<PhoneNumberSet> {
		if (!this.isCommon) return await PhoneNumberSet.of(this.read(item), code);
		this.common ??= this.read(item);
		const known = this.commonSets.get(code) ?? PhoneNumberSet.of(this.common, code);
		this.commonSets.set(code, known);
		return await known;
	}
}
