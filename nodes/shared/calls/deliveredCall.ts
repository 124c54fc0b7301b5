import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../client/json';

/** Some services send the call in `data`, beside the name of the event (assumed: webhook-payload). */
const isWrapped = (body: unknown): body is IDataObject & { data: IDataObject } =>
	isRecord(body) && typeof body.event === 'string' && isRecord(body.data) && !('id' in body);

/** The call in the body of a delivery, whatever the body is. */
export const deliveredCall = (body: unknown): unknown => (isWrapped(body) ? body.data : body);

/** The body of a delivery with another call in it. */
export const withDeliveredCall = (body: unknown, call: unknown): unknown =>
	isWrapped(body) ? { ...body, data: call } : call;
