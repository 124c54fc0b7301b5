import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object, and no text, list or null. */
export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a list; none when the value is no list. */
export const recordsIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];

/** A text or number as text; empty for any other value. */
export const asText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';
