import type { Lead } from '../../store/records.mts';

/** Which variables of a lead name the person. */
const NAMES = [['customer_name'], ['name'], ['first_name', 'last_name']];

/** The name of the person whom a lead is about; null where its variables have none. */
export function leadName(lead: Pick<Lead, 'variables'> | undefined): string | null {
	const variables = new Map(Object.entries(lead?.variables ?? {}));
	const names = NAMES.map((parts) =>
		parts.map((part) => variables.get(part) ?? '').filter((part) => typeof part === 'string'),
	);
	return names.map((parts) => parts.join(' ').trim()).find(Boolean) ?? null;
}
