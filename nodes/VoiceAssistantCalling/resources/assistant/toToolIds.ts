import { recordsIn } from '../../../shared/client/json';
import { picked } from '../../fields/fieldValues';
import { bodyOf, type PreSend } from '../../fields/routing';

/** Converts the chosen tools to a list of IDs. */
export const toToolIds: PreSend = (request) => {
	const { tool_ids: entered, ...body } = bodyOf(request);
	const ids = recordsIn(entered).map(({ toolId }) => Number(picked(toolId)));
	return Promise.resolve({ ...request, body: ids.length > 0 ? { ...body, tool_ids: ids } : body });
};
