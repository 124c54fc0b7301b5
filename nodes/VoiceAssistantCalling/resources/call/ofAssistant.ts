import type { IDataObject } from 'n8n-workflow';

import type { AssistantNames } from '../../../shared/calls/assistantNames';
import { callParents } from '../../../shared/calls/callParents';
import { isId } from '../../../shared/values/ids';
import { asText } from '../../../shared/values/json';

/** A call may tell its assistant by the name only (contract: Call record). */
function hasOnlyName(call: IDataObject): boolean {
	const { assistant_id: id, assistant_name: name } = callParents(call);
	return !isId(id) && asText(name) !== '';
}

/** Whether only the names of calls tell that they are of the assistant that a list was asked for. */
export const isToldByName = (calls: IDataObject[], { assistant_id: asked }: IDataObject): boolean =>
	asText(asked) !== '' && calls.some(hasOnlyName);

/**
 * Whether a call is of the assistant that a list was asked for, as its name tells: a service may ignore the filter
 * (assumed: call-filters).
 *
 * @param names of the assistants; undefined when they are not known, or not needed
 * @returns undefined when the name does not decide
 */
export const isOfAssistant = (
	call: IDataObject,
	{ assistant_id: asked }: IDataObject,
	names: AssistantNames | undefined,
): boolean | undefined =>
	!names ||
	!hasOnlyName(call) ||
	names.isOf(asText(callParents(call).assistant_name), asText(asked));
