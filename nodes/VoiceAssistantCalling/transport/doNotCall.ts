import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { asText, isRecord } from '../../shared/values/json';
import { incomparableProblem } from '../fields/phoneNumberProblem';
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
 * The entries of a list, or the lines of a text. An empty table or text has none, and stops nobody.
 *
 * @throws {InvalidInput} when there is no text and no list, or when they are rows, in which nobody knows where the
 * number is
 */
function entriesOf(value: unknown): string[] {
	const list = fromJsonText(value);
	if (list === undefined || list === null || typeof list === 'boolean') throw emptyOption(LABEL);
	const isList = Array.isArray(list);
	const values: unknown[] = isList ? list.flat(Infinity) : [list];
	const isRow = (entry: unknown) => isRecord(entry) || asText(entry).includes('[object Object]');
	if (values.some(isRow)) {
		throw wrongList(
			'must have phone numbers, and not whole rows',
			'Name the column, such as .map(row => row.json.phone_number) behind .all().',
		);
	}
	return values.flatMap((entry) =>
		asText(entry)
			.split(/[\r\n]+/)
			.filter((line) => isList || line.trim() !== ''),
	);
}

/** The numbers of entries. @throws {InvalidInput} when none of them can be read: the wrong column, or no numbers */
async function numbersOf(entries: string[], code: string): Promise<PhoneNumberSet> {
	const numbers = await PhoneNumberSet.of(entries, code);
	const { length: count } = entries;
	if (count > 0 && numbers.counts.readable === 0) {
		throw wrongList(
			`has no phone number in its ${count === 1 ? 'entry' : `${count} entries`}`,
			'Check the name of the column in its expression, and that each number is a line of its own. A table that is empty needs .filter(row => row.json.id) behind .all(), because n8n gives an empty row for it.',
		);
	}
	return numbers;
}

/** A number of a request that is held back. */
export type BlockedNumber = { phone_number: string } & (
	| { /** As the list has it. */ entry: string }
	| { /** Why it cannot be compared with the list. */ reason: string }
);

const incomparable = (problem: string) =>
	`The number ${problem}, so it cannot be compared with '${LABEL}'. Write one whole phone number and nothing else.`;

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
	 * Finds a phone number of a request that is on the list of its item, or cannot be compared with it: the service
	 * may read a number in what this node cannot read.
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
			const problem = numbers.counts.readable > 0 ? incomparableProblem(phone_number) : undefined;
			if (problem) return { phone_number, reason: incomparable(problem) };
		}
		return undefined;
	}

	/** What the hints and n8n's log say of the lists. */
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
