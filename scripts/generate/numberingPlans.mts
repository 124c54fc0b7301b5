import metadata from 'libphonenumber-js/max/metadata';

const HEADER = `// Generated from the metadata of libphonenumber (Apache License 2.0) by \`npm run generate\`, do not edit.

/** The numbering plans of phoneNumbers.ts, by country code. */
export const NUMBERING_PLANS = {
`;

/** The parts of libphonenumber-js's metadata of a country that are used, by their positions. */
interface CountryMetadata {
	1: string | 0;
	2: string;
	3: number[];
	5?: string | 0;
	7?: string | 0;
	8?: string | 0;
	/** Landlines, then mobile numbers: a pattern, and the lengths if they are not those of the country. */
	11?: Array<[pattern: string, lengths?: number[]] | 0>;
}

/** The lengths of the numbers that people have. */
const toLengths = ({ 3: all, 11: [landline = 0, mobile = 0] = [] }: CountryMetadata): number[] =>
	[landline, mobile].flatMap((type) => (type === 0 ? [] : (type[1] ?? all)));

/** A pattern that keeps or replaces digits reads codes that few people dial. */
function findTrunk({ 5: prefix, 7: pattern, 8: replacement }: CountryMetadata): string | undefined {
	const isPlain = typeof pattern === 'string' && !replacement && !/\((?!\?)/.test(pattern);
	return (isPlain ? pattern : prefix) || undefined;
}

/** What a number that may begin with 0 begins with, in a pattern. */
const MAY_BEGIN_WITH_ZERO = /(?:^|[|(])(?:\?:)?(?:0|\[\d*0)/;

/** The numbers that people have: where lengths differ, only they tell whether a 0 belongs to a number (Italy). */
const toPeople = ({ 11: [landline = 0, mobile = 0] = [] }: CountryMetadata): string =>
	[landline, mobile].flatMap((type) => (type === 0 ? [] : [type[0]])).join('|');

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\')}'`;

function line(code: string, main: CountryMetadata, countries: CountryMetadata[]): string {
	const [length, ...others] = new Set(countries.flatMap(toLengths));
	const trunk = findTrunk(main);
	const mayKeepZero = !trunk && others.length > 0 && MAY_BEGIN_WITH_ZERO.test(main[2]);
	const exit = main[1] === '00' ? 0 : main[1];
	const parts = [
		`national: ${quoted(main[2])}`,
		...(trunk ? [`trunk: ${quoted(trunk)}`] : []),
		...(mayKeepZero ? [`people: ${quoted(toPeople(main))}`] : []),
		...(length && others.length === 0 ? [`length: ${length}`] : []),
		...(exit ? [`exit: ${quoted(exit)}`] : []),
	];
	return `\t${code}: { ${parts.join(', ')} },\n`;
}

/**
 * The table that the action node reads phone numbers by.
 *
 * @returns the text of a module that exports `NUMBERING_PLANS`, by country code
 */
export function numberingPlans(): string {
	const { countries, country_calling_codes: codes } = metadata;
	const all = countries as Record<string, unknown> as Record<string, CountryMetadata>;
	const lines = Object.entries(codes).map(([code, names]) => {
		// The first country of a code has the numbers of the others too.
		const own = names.map((name) => all[name]).filter((each) => each !== undefined);
		const [main] = own;
		if (!main) throw new Error(`No country has the code ${code}`);
		return line(code, main, own);
	});
	return `${HEADER}${lines.join('')}};\n`;
}
