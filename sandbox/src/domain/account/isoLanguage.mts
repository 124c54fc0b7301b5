const NAMES = new Intl.DisplayNames('en', { type: 'language' });

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

/** The codes of ISO 639-1 by the English names of the languages. */
const CODES = new Map(
	LETTERS.flatMap((first) =>
		LETTERS.map((second): [string, string] => [NAMES.of(first + second) ?? '', first + second]),
	),
);

/** The code of a language by its English name: "de" of German. Another name has the code of no language. */
export const isoLanguage = (name: string): string => CODES.get(name) ?? 'xx';
