import { asAssumed, differs, type Check } from '../check.mts';
import { isObject } from '../describe.mts';
import type { Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import { ownCall } from './ownCall.mts';
import type { Arrival } from './receiver.mts';
import { headerOf, placeholderText, PLACEHOLDERS, TOOL_PARAMETER } from './testTool.mts';

/** @throws {CannotCheck} when the assistant did not use the tool */
async function toolRequest(run: Run): Promise<Arrival> {
	const [request] = (await ownCall(run)).toolRequests;
	if (request) return request;
	throw new CannotCheck('The assistant did not use its tool. Say the word "test" during the call.');
}

/** The value when POST has its parameters in the query; nothing is known of the other methods. */
const IN_QUERY = { GET: 'query', POST: 'query', PUT: 'body', PATCH: 'body', DELETE: 'query' };

const toolParametersDelivery: Check = {
	key: 'tool-parameters-delivery',
	level: 'call',
	async run(run) {
		const { body, query } = await toolRequest(run);
		const expected = 'a tool with POST receives its parameters as a JSON object';
		if (isObject(body) && TOOL_PARAMETER.name in body) return asAssumed(expected);
		if (query.has(TOOL_PARAMETER.name)) {
			return differs(expected, 'as query parameters', { value: IN_QUERY, certainty: 'likely' });
		}
		return differs(expected, 'in another form', {
			advice:
				'The Mid Call Tool Trigger outputs the body as it is. Read the parameters from there.',
		});
	},
};

const toolPlaceholders: Check = {
	key: 'tool-placeholders',
	level: 'call',
	async run(run) {
		const { headers } = await toolRequest(run);
		const expected = `${PLACEHOLDERS.join(', ')} are filled into headers`;
		const filled = PLACEHOLDERS.filter((each) => {
			const value = headers[headerOf(each).toLowerCase()];
			return value !== undefined && value !== placeholderText(each);
		});
		if (filled.length === PLACEHOLDERS.length) return asAssumed(expected);
		const seen = filled.length === 0 ? 'none is filled' : `only ${filled.join(', ')}`;
		return differs(expected, seen, { value: filled });
	},
};

export const TOOL_CHECKS = [toolParametersDelivery, toolPlaceholders];
