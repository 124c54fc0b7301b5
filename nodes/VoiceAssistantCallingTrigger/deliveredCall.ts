import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/values/json';

/** How a call ended or how long it took (contract: Call record; public-service: Post-call webhook). */
const ENDS = ['status', 'duration'];

/** Which call it is. The ID is missing in one sample (S4a). */
const IDENTITIES = ['id', 'customer_phone', 'client_phone_number'];

const hasOneOf = (body: IDataObject, names: string[]): boolean =>
	names.some((name) => (body[name] ?? undefined) !== undefined);

/**
 * Whether the body of a delivery is a call, as the documents show one: at the top of an object. A body with
 * `conversation_id` is a chat that has ended (public-service: Conversation-ended webhook).
 */
export const isCall = (body: unknown): body is IDataObject =>
	isRecord(body) &&
	hasOneOf(body, ENDS) &&
	hasOneOf(body, IDENTITIES) &&
	!Object.hasOwn(body, 'conversation_id');
