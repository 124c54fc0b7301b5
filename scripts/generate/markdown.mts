/** What the text of an operation says when it spends money. */
const COSTS = /\bcosts? money\b/;

/** A text with its sentence about costs in bold. */
export function withBoldCosts(text: string): string {
	return text.replace(/[^.]+\.?/g, (sentence) => {
		if (!COSTS.test(sentence)) return sentence;
		return sentence.replace(/\S.*/s, '**$&**');
	});
}

/** A row of a table. */
export const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

/** A table. */
export const table = (headings: string[], rows: string[]): string =>
	[row(...headings), `|${headings.map(() => '---|').join('')}`, ...rows].join('\n');

/** Plain text, or n8n's HTML with links, for a page. The tags of other HTML are shown. */
export const markdownText = (text: string): string =>
	text
		.replace(/<a href="([^"]+)">([^<]+)<\/a>/g, '[$2]($1)')
		.replaceAll('<', '&lt;')
		.replaceAll('|', String.raw`\|`)
		.replaceAll(/\s*\n\s*/g, ' ');

/** The anchor of a heading, as GitHub makes it. The site makes the same. */
export const toAnchor = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
		.replaceAll(/\s/g, '-');
