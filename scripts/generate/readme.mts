import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** What the text of an operation says when it spends money. */
const COSTS = /\bcosts? money\b/;

const isOption = (option: object): option is INodePropertyOptions => 'value' in option;

const optionsOf = ({ options = [] }: INodeProperties) => options.filter(isOption);

/** A description with its sentence about costs in bold. */
function withBoldCosts(text: string): string {
	return text.replace(/[^.]+\.?/g, (sentence) => {
		if (!COSTS.test(sentence)) return sentence;
		return sentence.replace(/\S.*/s, '**$&**');
	});
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;

/** The rows of one resource. The first one names it. */
function resourceRows({ name, value }: INodePropertyOptions, properties: INodeProperties[]) {
	const operation = properties.find(
		({ name: field, displayOptions }) =>
			field === 'operation' && displayOptions?.show?.resource?.includes(value),
	);
	return (operation ? optionsOf(operation) : []).map((option, index) =>
		row(index === 0 ? name : '', option.name, withBoldCosts(option.description ?? '')),
	);
}

/** The table of a node's operations, with one row for each. */
export function operationsTable({ properties }: INodeTypeDescription): string {
	const resource = properties.find(({ name }) => name === 'resource');
	const rows = (resource ? optionsOf(resource) : []).flatMap((each) =>
		resourceRows(each, properties),
	);
	return [row('Resource', 'Operation', 'What it does'), '|---|---|---|', ...rows].join('\n');
}

/** The table of triggers, with one row for each. */
export function triggersTable(triggers: INodeTypeDescription[]): string {
	const rows = triggers.map(({ displayName, description }) => row(displayName, description));
	return [row('Trigger', 'What it does'), '|---|---|', ...rows].join('\n');
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
