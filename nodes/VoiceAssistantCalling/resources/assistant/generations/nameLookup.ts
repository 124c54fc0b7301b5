import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../../shared/client/errors';
import { isId } from '../../../../shared/values/ids';
import { asText } from '../../../../shared/values/json';
import { serviceText } from '../../../../shared/values/serviceText';

/** How many of the nearest names an error lists. */
const MAX_LISTED = 5;

const pairsOf = (text: string) => {
	const lower = text.toLowerCase();
	return new Set(Array.from(lower, (_, index) => lower.slice(index, index + 2)));
};

/** How alike two names are, from 0 to 1: the share of the pairs of letters that both have (Dice). */
function likeness(one: string, other: string): number {
	const [first, second] = [pairsOf(one), pairsOf(other)];
	const common = [...first].filter((pair) => second.has(pair)).length;
	return (2 * common) / (first.size + second.size || 1);
}

const described = ({ name, id }: IDataObject) => serviceText(`${asText(name)} (ID ${asText(id)})`);

/**
 * Finds the ID of a record by its name: exactly, then in any case.
 *
 * @param label of the field with the name
 * @throws {InvalidInput} that lists the nearest names, when none or several have it
 */
export function findIdByName(records: IDataObject[], entered: unknown, label: string): number {
	const wanted = asText(entered).trim();
	const named = records.filter(({ id, name }) => isId(id) && asText(name) !== '');
	const withName = (toForm: (name: string) => string) =>
		named.filter(({ name }) => toForm(asText(name).trim()) === toForm(wanted));
	const exact = withName((name) => name);
	const found = exact.length > 0 ? exact : withName((name) => name.toLowerCase());
	const [only] = found;
	if (only && found.length === 1) return Number(only.id);
	const nearest = [...(found.length > 1 ? found : named)]
		.sort((a, b) => likeness(asText(b.name), wanted) - likeness(asText(a.name), wanted))
		.slice(0, MAX_LISTED)
		.map(described)
		.join(', ');
	const problem =
		found.length > 1
			? `has a name that ${found.length} entries of your provider's list have: ${nearest}`
			: `has a name that is not in your provider's list: ${serviceText(wanted)}`;
	throw new InvalidInput({
		message: `'${label}' ${problem}`,
		nextStep: `${found.length > 1 ? 'Enter another name' : `Enter one of the list. The nearest: ${nearest || 'none, the list is empty'}`}. Nothing was created or changed.`,
		errors: { [label]: [problem] },
	});
}
