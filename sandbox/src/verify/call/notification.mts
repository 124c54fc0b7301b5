import { isObject } from '../describe.mts';
import type { Row } from '../read/page.mts';

/** Statuses of a call that goes on. */
export const ACTIVE_STATUSES = ['initiated', 'ringing', 'in-progress'];

/** How the body of a webhook wraps the call (assumption: webhook-payload). */
export type PayloadForm = 'plain' | 'in-data' | 'other';

export interface Notification {
	form: PayloadForm;
	/** What it tells of the call. */
	fields: Row;
}

/** Reads the body of a webhook. */
export function readNotification(body: unknown): Notification {
	if (!isObject(body)) return { form: 'other', fields: {} };
	const { event, data } = body;
	if ('status' in body) return { form: 'plain', fields: body };
	const form = isObject(data) && typeof event === 'string' ? 'in-data' : 'other';
	return { form, fields: isObject(data) ? data : body };
}

/** Whether a webhook tells of a call that goes on. */
export function isOfActiveCall({ fields }: Notification): boolean {
	const { status, finished_at: end } = fields;
	return end === null || ACTIVE_STATUSES.includes(String(status));
}
