import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../client/json';

/** The fields in which some services send the call, beside the name of the event (assumed: webhook-payload). */
export const WRAPPERS = ['data', 'call'];

/** Fields by which a call is known, the surest first. */
const CALL_FIELDS = ['status', 'finished_at', 'duration', 'transcript'];

/** The field of a delivery that has the call; undefined when the delivery is the call itself. */
function wrapperIn(body: IDataObject): string | undefined {
	const wrappers = WRAPPERS.filter((name) => isRecord(body[name]));
	for (const field of CALL_FIELDS) {
		if (Object.hasOwn(body, field)) return undefined;
		const wrapper = wrappers.find((name) => Object.hasOwn(body[name] as IDataObject, field));
		if (wrapper !== undefined) return wrapper;
	}
	const isEvent = typeof body.event === 'string' && !Object.hasOwn(body, 'id');
	return isEvent ? wrappers[0] : undefined;
}

/** The call in the body of a delivery, whatever the body is. */
export function deliveredCall(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const wrapper = wrapperIn(body);
	return wrapper === undefined ? body : body[wrapper];
}
