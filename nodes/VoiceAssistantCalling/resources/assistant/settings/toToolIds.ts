import { getLocatorValue } from '../../../../shared/fields/values';
import { recordsIn } from '../../../../shared/values/json';
import { getBody, type PreSend } from '../../../fields/routing';

/** Converts the chosen tools to a list of IDs. */
export const toToolIds: PreSend = (request) => {
	const { tool_ids: entered, ...body } = getBody(request);
	const ids = recordsIn(entered).map(({ toolId }) => Number(getLocatorValue(toolId)));
	return Promise.resolve({ ...request, body: ids.length > 0 ? { ...body, tool_ids: ids } : body });
};
