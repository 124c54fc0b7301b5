import type { INodeTypeDescription } from 'n8n-workflow';

import { row, table, withBoldCosts } from './markdown.mts';
import { getOperations } from './nodeOperations.mts';

/** The README says this once, below its table. */
const MAY_BE_MISSING = ' Not in the contract: some providers may lack it.';

/** The table of a node's operations, with one row for each. The first one of a resource names it. */
export function operationsTable(action: INodeTypeDescription): string {
	const rows = getOperations(action).flatMap(({ resource, operations }) =>
		operations.map(({ operation: { name, description = '' } }, index) =>
			row(
				index === 0 ? resource.name : '',
				name,
				withBoldCosts(description.replace(MAY_BE_MISSING, '')),
			),
		),
	);
	return table(['Resource', 'Operation', 'What it does'], rows);
}

/** The table of triggers, with one row for each. */
export function triggersTable(triggers: INodeTypeDescription[]): string {
	const rows = triggers.map(({ displayName, description }) => row(displayName, description));
	return table(['Trigger', 'What it does'], rows);
}

/**
 * Replaces the parts of a Markdown page that are generated. Each part stands between two comments:
 * `<!-- generated: name -->` and `<!-- end of name -->`.
 *
 * @param parts the text of each part by its name
 * @throws when the page has no place for a part
 */
export function withGeneratedParts(page: string, parts: Record<string, string>): string {
	return Object.entries(parts).reduce((text, [name, part]) => {
		const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
		const [before, after] = [text.split(begin)[0], text.split(end)[1]];
		if (before === text || before === undefined || after === undefined) {
			throw new Error(`The page has no place for ${name}: it needs ${begin} and ${end}`);
		}
		return `${before}${begin}\n\n${part}\n\n${end}${after}`;
	}, page);
}
