import { sleep } from 'n8n-workflow';

import { internationalNumber } from '../../shared/fields/phoneNumbers';

/** National numbers have at least so many digits (libphonenumber: Niue, Tokelau). */
const MIN_DIGITS = 4;

/** So many digits at the end are enough where one of two numbers has no country code: doubt is a yes. */
const COMPARED_DIGITS = 7;

/** How many entries are added before n8n may answer others: some 10 ms. */
const ADDED_AT_ONCE = 500;

/** Of shorter ones. */
const SHORT_LENGTHS = [4, 5, 6];

/**
 * A number without the words before it and the extension behind it: *Tel. +49 151 123 ext. 12*. Letters, `#`, commas
 * and semicolons end it.
 */
const NUMBER = /^[^\d+]*(\+?[^\p{L}#,;]*)/u;

/** The first digit of the script that a digit is of: the ten digits of a script follow each other. */
function zeroOf(digit: number): number {
	let zero = digit;
	while (digit - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
	return zero;
}

/** Digits of other scripts as 0 to 9. */
const withPlainDigits = (text: string): string =>
	text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0) ?? 0;
		return String(code - zeroOf(code));
	});

/** A phone number as it is compared. */
interface Comparable {
	/** With the country code; undefined when there is none. */
	international?: string;
	/** All digits without zeros in front. */
	digits: string;
}

function comparable(text: string, code: string): Comparable | undefined {
	const [, number = ''] = NUMBER.exec(withPlainDigits(text)) ?? [];
	const international = internationalNumber(number, code);
	const digits = international.replace(/\D/g, '').replace(/^0+/, '');
	if (digits.length < MIN_DIGITS) return undefined;
	return { digits, ...(/^\+\d+$/.test(international) && { international }) };
}

const endOf = (digits: string, length: number): string => digits.slice(-length);

/**
 * Phone numbers that are compared as telephones, and not as texts. Two numbers with a country code are the same when
 * they are equal. Where one has none and none can be completed, their last seven digits decide, or all digits of a
 * shorter one.
 */
export class PhoneNumberSet {
	/** How many entries are no phone numbers. */
	unreadable = 0;

	private readonly international = new Map<string, string>();

	/** All entries, by their digits. */
	private readonly all: Array<[digits: string, entry: string]> = [];

	/** The entries by their last digits, by how many these are. Only numbers without a country code need them. */
	private readonly ends = new Map<number, Map<string, string>>();

	/** Those without a country code. */
	private readonly nationalEnds = new Map<string, string>();

	private readonly code: string;

	private constructor(code: string) {
		this.code = code;
	}

	/**
	 * Makes a set. n8n answers other requests meanwhile.
	 *
	 * @param code the default country code in digits; empty for none
	 */
	static async of(entries: string[], code: string): Promise<PhoneNumberSet> {
		const set = new PhoneNumberSet(code);
		for (const [index, entry] of entries.entries()) {
			if (index % ADDED_AT_ONCE === ADDED_AT_ONCE - 1) await sleep(0);
			set.add(entry);
		}
		return set;
	}

	/** Finds the entry that is the same telephone as a number. */
	find(text: string): string | undefined {
		const number = comparable(text, this.code);
		if (!number) return undefined;
		const { international, digits } = number;
		const length = Math.min(COMPARED_DIGITS, digits.length);
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
		const number = comparable(entry, this.code);
		if (!number) {
			this.unreadable++;
			return;
		}
		const { international, digits } = number;
		if (international) this.international.set(international, entry);
		else this.nationalEnds.set(endOf(digits, COMPARED_DIGITS), entry);
		this.all.push([digits, entry]);
	}

	private endsOf(length: number): Map<string, string> {
		const ends =
			this.ends.get(length) ??
			new Map(this.all.map(([digits, entry]) => [endOf(digits, length), entry]));
		this.ends.set(length, ends);
		return ends;
	}
}
