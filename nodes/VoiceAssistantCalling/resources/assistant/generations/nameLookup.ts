import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../../shared/client/errors';
import { isId } from '../../../../shared/values/ids';
import { asText } from '../../../../shared/values/json';
import { serviceText } from '../../../../shared/values/serviceText';

/** How many of the nearest names an error lists. */
const MAX_LISTED = 5;

const pairsOf = (text: string) =>
	Array.from(text.toLowerCase(), (_, index) => text.toLowerCase().slice(index, index + 2));

/** How alike two names are: the share of the pairs of letters that both have (Dice). */
function likeness(one: string, other: string): number {
	const [first, second] = [pairsOf(one), pairsOf(other)];
	return first.filter((pair) => second.includes(pair)).length / (first.length + second.length);
}

/**
 * Finds the ID of a record by its name: exactly, then in any case.
 *
 * @param label of the field with the name
 * @throws {InvalidInput} that lists the nearest names, when none or several have it
 */
export function findIdByName(records: IDataObject[], entered: unknown, label: string): number {
	const wanted = asText(entered).trim();
	const named = records.filter(({ id, name }) => isId(id) && asText(name) !== '');
	const withName = (toForm: (text: string) => string) =>
		named.filter(({ name }) => toForm(asText(name).trim()) === toForm(wanted));
	const exact = withName((text) => text);
	const found = exact.length > 0 ? exact : withName((text) => text.toLowerCase());
	if (found[0] && found.length === 1) return Number(found[0].id);
	const nearest = [...(found.length > 1 ? found : named)]
		.sort((a, b) => likeness(asText(b.name), wanted) - likeness(asText(a.name), wanted))
		.slice(0, MAX_LISTED)
		.map(({ name, id }) => serviceText(`${asText(name)} (ID ${asText(id)})`));
	const problem =
		found.length > 1
			? `is a name that ${found.length} entries of your provider's list have`
			: "is not in your provider's list";
	throw new InvalidInput({
		message: `'${label}' ${problem}: ${serviceText(wanted)}`,
		nextStep: `Enter another name of the list. The nearest: ${nearest.join(', ') || 'none, it is empty'}. Nothing was created or changed.`,
		errors: { [label]: [problem] },
	});
}
