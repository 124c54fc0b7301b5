import type { IDataObject } from 'n8n-workflow';

import { isId } from '../../../shared/client/ids';
import { asText } from '../../../shared/client/json';

/**
 * What n8n's log says of a list that was asked for one assistant and names several. The names cannot decide: a
 * call may have the name that its assistant had then.
 */
export function severalAssistants(
	calls: IDataObject[],
	{ assistant_id: asked }: IDataObject,
): string | undefined {
	if (asText(asked) === '') return undefined;
	const named = calls.filter(({ assistant_id: id }) => !isId(id));
	const names = new Set(named.map(({ assistant_name: name }) => asText(name)).filter(Boolean));
	return names.size > 1
		? "The list was asked for the calls of one assistant, and they name several: the service may ignore the filter, or the assistant was renamed. Compare 'assistant_name' in the workflow."
		: undefined;
}
