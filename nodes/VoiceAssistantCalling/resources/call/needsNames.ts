import type { IDataObject } from 'n8n-workflow';

import { isId } from '../../../shared/client/ids';
import { asText, isRecord } from '../../../shared/client/json';
import type { Values } from '../../fields/fieldValues';

/** The name of the assistant, as the list shows it from which it was chosen; empty without a list. */
const chosenName = ({ filters }: Values): string =>
	isRecord(filters) && isRecord(filters.assistantId)
		? asText(filters.assistantId.cachedResultName)
		: '';

/**
 * Whether calls may be of another assistant than the one that they were asked for, and only their names can
 * tell: they have several names, or another one than was chosen. To ask in any other case would cost each
 * user of a service that applies its filters a request.
 */
export function needsNames(calls: IDataObject[], query: IDataObject, values: Values): boolean {
	if (asText(query.assistant_id) === '') return false;
	const named = calls.filter(({ assistant_id: id }) => !isId(id));
	const names = new Set(named.map(({ assistant_name: name }) => asText(name)).filter(Boolean));
	const chosen = chosenName(values);
	return names.size > 1 || (names.size === 1 && chosen !== '' && !names.has(chosen));
}
