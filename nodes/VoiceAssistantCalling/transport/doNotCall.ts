import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isEmpty } from '../../shared/fields/values';
import { asText, isRecord } from '../../shared/values/json';
import { PhoneNumberSet } from '../fields/phoneNumberSet';
import { sentPhoneNumbers } from '../fields/sendPhoneNumber';
import { doNotCall } from '../resources/spendingOptions';
import { emptyOption, enteredOptions, readOption } from './enteredOptions';

const LABEL = doNotCall.displayName;

/** The list that a text has as JSON, as expressions write one. Any other value stays. */
function fromJsonText(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

/** What gives all items of a run the same: `$('Table').all()`, but not `$('Table').item`. */
const SAME_FOR_ALL =
	/\$(?:\((?:'[^']*'|"[^"]*")\)|input)\.(?:all|first|last)\(|\$(?:vars|env|workflow|now|today|execution|runIndex)\b/g;

/** Whether all items have the same value. What else an expression names may differ. */
export function isSameForAll(entered: unknown): boolean {
	if (typeof entered !== 'string') return !JSON.stringify(entered ?? '').includes('=');
	return !entered.startsWith('=') || !entered.replace(SAME_FOR_ALL, '').includes('$');
}

const wrongList = (problem: string, nextStep: string) =>
	new InvalidInput({
		message: `'${LABEL}' ${problem}`,
		nextStep: `${nextStep} Nothing was sent for this item.`,
		errors: { [LABEL]: [problem] },
	});

/**
 * The entries of a list, or the lines of a text.
 *
 * @throws {InvalidInput} when there is no text and no list, or when they are rows, in which nobody knows where the
 * number is
 */
function entriesOf(value: unknown): string[] {
	const list = fromJsonText(value);
	const isList = Array.isArray(list);
	if (!isList && !isRecord(list) && asText(list).trim() === '') throw emptyOption(LABEL);
	const values: unknown[] = isList ? list.flat(Infinity) : [list];
	const isRow = (entry: unknown) => isRecord(entry) || asText(entry).includes('[object Object]');
	if (values.some(isRow)) {
		throw wrongList(
			'must have phone numbers, and not whole rows',
			'Name the column, such as .map(row => row.json.phone_number) behind .all().',
		);
	}
	// A table that is empty gives one row without a number.
	if (isList && values.length === 1 && isEmpty(values[0])) return [];
	return values.flatMap((entry) =>
		asText(entry)
			.split(/[\r\n]+/)
			.filter((line) => isList || line.trim() !== ''),
	);
}

/** The numbers of entries. @throws {InvalidInput} when none of several can be read: the wrong column, or no numbers */
async function numbersOf(entries: string[], code: string): Promise<PhoneNumberSet> {
	const numbers = await PhoneNumberSet.of(entries, code);
	if (entries.length > 1 && numbers.counts.readable === 0) {
		throw wrongList(
			`has no phone number in its ${entries.length} entries`,
			'Check the name of the column in its expression.',
		);
	}
	return numbers;
}

/** A number of a request that is on the list. */
interface BlockedNumber {
	phone_number: string;
	/** As the list has it. */
	entry: string;
}

/** The lists of *Do Not Call* of a run. */
export class DoNotCall {
	private readonly context: IExecuteFunctions;

	/** Whether there is a list. */
	readonly isUsed: boolean;

	/** Whether all items have the same list, so that it is read once. */
	private readonly isCommon: boolean;

	private common: string[] | undefined;

	/** The numbers of lists, by the default country code and, of lists that may differ, the entries. */
	private readonly sets = new Map<string, Promise<PhoneNumberSet>>();

	private readonly counts = { unreadable: 0, short: 0 };

	constructor(context: IExecuteFunctions) {
		this.context = context;
		const entered = enteredOptions(context)[doNotCall.name];
		this.isUsed = entered !== undefined;
		this.isCommon = isSameForAll(entered);
	}

	/**
	 * Finds a phone number of a request that is on the list of its item.
	 *
	 * @param code the default country code in digits; empty for none
	 * @throws {InvalidInput} when the list cannot be used, or its expression fails
	 */
	async find(
		item: number,
		request: IHttpRequestOptions,
		code: string,
	): Promise<BlockedNumber | undefined> {
		const numbers = await this.numbersFor(item, code);
		for (const name of ['unreadable', 'short'] as const) {
			this.counts[name] = Math.max(this.counts[name], numbers.counts[name]);
		}
		for (const phone_number of Object.values(sentPhoneNumbers(request))) {
			const entry = numbers.find(phone_number);
			if (entry !== undefined) return { phone_number, entry };
		}
		return undefined;
	}

	/** What n8n's log says of the lists. */
	get warnings(): string[] {
		const { unreadable, short } = this.counts;
		return [
			...(unreadable > 0
				? [
						`'${LABEL}' has entries without a phone number that can be read: ${unreadable}. They stop nobody.`,
					]
				: []),
			...(short > 0
				? [
						`'${LABEL}' has numbers with fewer than seven digits: ${short}. They stop everybody whose number ends so.`,
					]
				: []),
		];
	}

	private async numbersFor(item: number, code: string): Promise<PhoneNumberSet> {
		const entries = this.isCommon ? (this.common ??= this.read(item)) : this.read(item);
		const key = this.isCommon ? code : JSON.stringify([code, entries]);
		const known = this.sets.get(key);
		if (known) return await known;
		// Of lists that differ, the last one is kept.
		if (!this.isCommon) this.sets.clear();
		const numbers = numbersOf(entries, code);
		this.sets.set(key, numbers);
		return await numbers;
	}

	private read(item: number): string[] {
		return entriesOf(readOption(this.context, doNotCall, item));
	}
}
