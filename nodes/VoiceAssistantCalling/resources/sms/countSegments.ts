/** Characters of GSM 03.38, the alphabet of short messages. */
const ONE_SEPTET =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
	'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Characters of its extension, which need an escape in front. */
const TWO_SEPTETS = '\f^{}\\[~]|€';

/** How many units fit into one message, and into each of several (GSM 03.40: a header takes the rest). */
const GSM = { alone: 160, several: 153 };
const UCS_2 = { alone: 70, several: 67 };

/**
 * Counts the segments of an SMS, by which it is charged. A character outside of GSM 03.38 makes all of the
 * message longer. A character that needs two units is never divided.
 *
 * @param text that is not empty
 */
export function countSegments(text: string): number {
	const characters = [...text];
	const isGsm = characters.every(
		(character) => ONE_SEPTET.includes(character) || TWO_SEPTETS.includes(character),
	);
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
