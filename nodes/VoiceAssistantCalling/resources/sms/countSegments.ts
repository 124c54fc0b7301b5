/** Characters of GSM 03.38, the alphabet of short messages. */
const ONE_SEPTET =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
	'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Characters of its extension, which need an escape in front. */
const TWO_SEPTETS = '\f^{}\\[~]|€';

/** How many units fit into one message, and into each of several (GSM 03.40: a header takes the rest). */
const GSM = { alone: 160, several: 153 };
const UCS_2 = { alone: 70, several: 67 };

const isInAlphabet = (character: string): boolean =>
	ONE_SEPTET.includes(character) || TWO_SEPTETS.includes(character);

/** What people write instead of a character that programs put in by themselves. */
const INSTEAD = new Map([
	...[...'’‘´`'].map((character) => [character, "'"] as const),
	...[...'“”„«»'].map((character) => [character, '"'] as const),
	...[...'–—•'].map((character) => [character, '-'] as const),
	['…', '...'],
	['\u00a0', 'a space'],
	['\u202f', 'a space'],
	['\t', 'a space'],
]);

/** What tells how expensive a text is. */
export interface Encoding {
	encoding: 'GSM-7' | 'Unicode';
	/** The first character that makes it Unicode, in which a segment has less than half as many characters. */
	unicode_character: string | null;
}

/** Tells how an SMS is encoded. */
export function getEncoding(text: string): Encoding {
	const character = [...text].find((each) => !isInAlphabet(each));
	return character === undefined
		? { encoding: 'GSM-7', unicode_character: null }
		: { encoding: 'Unicode', unicode_character: character };
}

/** How many segments a text has, and what makes it longer than it had to be, in a cell of a table. */
export function describeSegments(text: string): string {
	const segments = countSegments(text);
	const counted = segments === 1 ? '1 SMS segment' : `${segments} SMS segments`;
	const { unicode_character: character } = getEncoding(text);
	if (character === null) return counted;
	const instead = INSTEAD.get(character);
	const advice = instead ? `write ${instead} instead` : 'leave it out';
	return `${counted}, Unicode because of ${character} (${advice})`;
}

/**
 * Counts the segments of an SMS, by which it is charged. A character outside of GSM 03.38 makes all of the
 * message longer. A character that needs two units is never divided.
 *
 * @param text that is not empty
 */
export function countSegments(text: string): number {
	const characters = [...text];
	const isGsm = characters.every(isInAlphabet);
	const { alone, several } = isGsm ? GSM : UCS_2;
	const units = characters.map((character) =>
		isGsm ? (TWO_SEPTETS.includes(character) ? 2 : 1) : character.length,
	);
	if (units.reduce((sum, unit) => sum + unit, 0) <= alone) return 1;
	let segments = 1;
	let used = 0;
	for (const unit of units) {
		if (used + unit > several) {
			segments += 1;
			used = 0;
		}
		used += unit;
	}
	return segments;
}
