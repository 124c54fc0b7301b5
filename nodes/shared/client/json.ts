import type { IDataObject } from 'n8n-workflow';

/** Tells a JSON object from everything else that an answer can be: text, a list, nothing. */
export const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; nothing where there is no list. */
export const recordsIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];

/** A name, id or number as text; nothing for what is neither. */
export const asText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';
