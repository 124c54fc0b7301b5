import { sleep } from 'n8n-workflow';

import {
	hasPossibleNumber,
	internationalNumber,
	isDate,
	LAST_DIGITS,
} from '../../shared/fields/phoneNumbers';

/** Fewer digits are no phone number, but an ID or a year. Small countries have numbers of five digits. */
export const MIN_DIGITS = 5;

/** No phone number has more digits (ITU-T E.164). */
export const MAX_DIGITS = 15;

/** The lengths of numbers that have fewer than the compared digits. */
const SHORT_LENGTHS = [5, 6];

/** How many entries are read before n8n may answer others: less than 30 ms. */
const READ_AT_ONCE = 150;

/** An extension, or a pause and what is dialled after it. */
export const EXTENSION =
	/(?<=\d[\s.)]{0,3})(?:[;(]?\s{0,3}(?:ext(?:ension|n)?|x|line)|#|,{2,})[\s.:=]{0,3}\d{1,6}\)?(?=\s*(?:$|[\r\n\t|;,]))/giu;

/** An extension without a word, or a time: `555 2671 (12)`, `555 2671 12:30`. */
const BARE_EXTENSION = /(?:\s\d{1,2}:\d{2}|[:(]\s?\d{1,5}\)?)\s*$/;

/** What is between two numbers. A number with letters in it (`1-800-FLOWERS`) cannot be read. */
const BETWEEN = /[\r\n\t\u2028\u2029|;,]+|(?<=[\s/])\p{L}+\.?(?=[\s/:+\d])|(?=\+)/u;

const WITH_LETTERS = /\d-?\p{L}/u;

/** A number of a spreadsheet that was written as a decimal. */
const DECIMALS = /^(\s*\+?\d{5,})[.,]0+\s*$/;

/** The digits of a text, one behind the other. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The first digit of the script that a digit is of: the ten digits of a script follow each other. */
function zeroOf(digit: number): number {
	let zero = digit;
	while (digit - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
	return zero;
}

/** Digits of other scripts as 0 to 9. */
export const withPlainDigits = (text: string): string =>
	text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0) ?? 0;
		return String(code - zeroOf(code));
	});

function isReadable(number: string): boolean {
	const { length } = digitsOf(number).replace(/^0+/, '');
	if (isDate(number.trim()) || WITH_LETTERS.test(number)) return false;
	return length >= MIN_DIGITS && length <= MAX_DIGITS;
}

/** The numbers in a text that can be read, without their extensions. */
export const numbersIn = (text: string): string[] =>
	withPlainDigits(text)
		.replace(DECIMALS, '$1')
		.replace(EXTENSION, ' ')
		.split(BETWEEN)
		.map((part) => {
			const short = part.replace(BARE_EXTENSION, '');
			return digitsOf(short).length >= LAST_DIGITS ? short : part;
		})
		.filter(isReadable)
		.map((number) => number.replace(/^[^\d+]+/, ''));

/** In these countries, a mobile number has a digit more or less, by where it is called from or how old it is. */
const canonical = (digits: string): string =>
	digits
		.replace(/^549(?=\d{10}$)/, '54')
		.replace(/^521(?=\d{10}$)/, '52')
		.replace(/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1');

/** A phone number as it is compared. */
interface Comparable {
	/** With the country code; undefined when it is not certain. */
	international?: string;
	/** All digits without zeros in front. */
	digits: string;
}

/** Where a number can end before something else: `+1 415 555 2671 2024`. */
const GAPS = /(?<=\d\)?)[\s/:]+/g;

/** The possible number that an impossible one begins with; undefined when it begins with none. */
const beginningOf = (number: string, code: string): string | undefined =>
	[...number.matchAll(GAPS)]
		.map(({ index }) => comparable(number.slice(0, index), code).international)
		.findLast(Boolean);

function comparable(number: string, code: string): Comparable {
	const completed = internationalNumber(number, code);
	const digits = digitsOf(completed).replace(/^0+/, '');
	if (!hasPossibleNumber(completed)) return { digits };
	return { digits, international: canonical(digits) };
}

const endOf = (digits: string, length: number): string => digits.slice(-length);

/**
 * Phone numbers that are compared as telephones, and not as texts. Two numbers with a country code are the same when
 * they are equal. Where one has none and it cannot be completed, the last seven digits decide, or all digits of a
 * shorter one.
 */
export class PhoneNumberSet {
	/** How many entries have a phone number, how many have none, and how many a short one. */
	readonly counts = { readable: 0, unreadable: 0, short: 0 };

	private readonly international = new Map<string, string>();

	/** All entries, by their digits. */
	private readonly all: Array<[digits: string, entry: string]> = [];

	/** The entries by their last digits, by how many these are. Only numbers without a country code need them. */
	private readonly ends = new Map<number, Map<string, string>>();

	/** The last digits of those without a country code. */
	private readonly nationalEnds = new Map<string, string>();

	private readonly entries: string[];

	private readonly code: string;

	private constructor(entries: string[], code: string) {
		this.entries = entries;
		this.code = code;
	}

	/**
	 * Makes a set. n8n answers other requests meanwhile.
	 *
	 * @param code the default country code in digits; empty for none
	 */
	static async of(entries: string[], code: string): Promise<PhoneNumberSet> {
		const set = new PhoneNumberSet(entries, code);
		for (const [index, entry] of entries.entries()) {
			if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await sleep(0);
			set.add(entry);
		}
		return set;
	}

	/** Finds the entry that is the same telephone as a number. */
	find(text: string): string | undefined {
		for (const number of numbersIn(text)) {
			const entry = this.entryOf(comparable(number, this.code));
			if (entry !== undefined) return entry;
		}
		return undefined;
	}

	/** Where an entry is in the list, from 1. */
	positionOf(entry: string): number {
		return this.entries.indexOf(entry) + 1;
	}

	private entryOf({ international, digits }: Comparable): string | undefined {
		const length = Math.min(LAST_DIGITS, digits.length);
		const ends = international ? this.nationalEnds : this.endsOf(length);
		// An entry with fewer digits is compared by all of them.
		const shorter = SHORT_LENGTHS.filter((each) => each < length);
		return (
			this.international.get(international ?? '') ??
			ends.get(endOf(digits, length)) ??
			shorter.map((each) => this.nationalEnds.get(endOf(digits, each))).find(Boolean)
		);
	}

	private add(entry: string): void {
		const numbers = numbersIn(entry);
		this.counts[numbers.length > 0 ? 'readable' : 'unreadable']++;
		for (const number of numbers) {
			const { international, digits } = comparable(number, this.code);
			const beginning = international ? undefined : beginningOf(number, this.code);
			if (beginning) this.international.set(beginning, entry);
			if (international) this.international.set(international, entry);
			else this.nationalEnds.set(endOf(digits, LAST_DIGITS), entry);
			this.all.push([digits, entry]);
			if (digits.length < LAST_DIGITS) this.counts.short++;
			// A spreadsheet may have taken the + away.
			const withPlus = `+${digitsOf(number)}`;
			if (/^[1-9]/.test(number) && hasPossibleNumber(withPlus)) {
				this.international.set(canonical(withPlus.slice(1)), entry);
			}
		}
	}

	private endsOf(length: number): Map<string, string> {
		const ends =
			this.ends.get(length) ??
			new Map(this.all.map(([digits, entry]) => [endOf(digits, length), entry]));
		this.ends.set(length, ends);
		return ends;
	}
}
