import type { IExecuteFunctions } from 'n8n-workflow';

import { invalidField } from '../../../shared/client/errors';
import { asText, isRecord } from '../../../shared/values/json';
import { incomparableProblem } from '../../fields/phoneNumberProblem';
import { PhoneNumberSet } from '../../fields/phoneNumberSet';
import { defaultCountryCode, sentPhoneNumbers } from '../../fields/sendPhoneNumber';
import { doNotCall } from '../../resources/spendingOptions';
import type { BuiltItem } from '../builtItem';
import type { HeldBack } from '../heldBack';
import { sendContext } from '../sendContext';
import { emptyOption, enteredOptions, readOption } from './enteredOptions';
import { warnings, type Step, type StepHint } from './step';

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
	invalidField(LABEL, problem, `${nextStep} Nothing was sent for this item.`);

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

const incomparable = (problem: string) =>
	`The number ${problem}, so it cannot be compared with '${LABEL}'. Write one whole phone number and nothing else.`;

const listed = (place: number) =>
	`The number is on the list '${LABEL}': entry ${place}. Take it off there, and the person can be reached again.`;

const blockedHint = (items: string) =>
	`${LABEL}: ${items} not sent, because a phone number is on the list, or cannot be compared with it. The output says which one.`;

/** *Do Not Call*: nobody of the list is reached. */
export class DoNotCall implements Step {
	private readonly context: IExecuteFunctions;

	private readonly isUsed: boolean;

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
	 * Looks for a phone number of a request on the list of its item. What cannot be compared is held back, too: the
	 * service may read a number in what this node cannot read.
	 *
	 * @throws {InvalidInput} when the list cannot be used, or its expression fails
	 */
	async look({ index, operation, account, request }: BuiltItem): Promise<HeldBack | undefined> {
		if (!this.isUsed || !operation.reachesPeople) return undefined;
		const code = await defaultCountryCode(sendContext(this.context, index, account));
		const numbers = await this.numbersFor(index, code);
		for (const name of ['unreadable', 'short'] as const) {
			this.counts[name] = Math.max(this.counts[name], numbers.counts[name]);
		}
		for (const phone_number of Object.values(sentPhoneNumbers(request))) {
			const entry = numbers.find(phone_number);
			const problem = numbers.counts.readable > 0 ? incomparableProblem(phone_number) : undefined;
			if (entry === undefined && !problem) continue;
			const why =
				entry === undefined
					? { reason: incomparable(String(problem)) }
					: { entry, message: listed(numbers.positionOf(entry)) };
			const json = { result: 'do not call', phone_number, ...why };
			return {
				outcome: { items: [{ json, pairedItem: { item: index } }] },
				hints: [blockedHint],
				label: `Not sent, because of '${LABEL}'`,
				isDecidedAgain: true,
			};
		}
		return undefined;
	}

	get hints(): StepHint[] {
		const { unreadable, short } = this.counts;
		return warnings([
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
		]);
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
