import type { IDataObject } from 'n8n-workflow';

import { asText, recordsIn } from '../values/json';

/** A header that the assistant sends with every call of the tool. */
export interface Header {
	name: string;
	value: string;
}

/** Carries the secret of the trigger in each request of the tool. */
export const TOKEN_HEADER = 'X-Tool-Token';

/** The secret that a tool sends; empty when its record does not show one (contract: Mid call tool). */
export function getSecret({ headers }: IDataObject): string {
	const isSecret = ({ name }: IDataObject) =>
		asText(name).toLowerCase() === TOKEN_HEADER.toLowerCase();
	return asText(recordsIn(headers).find(isSecret)?.value);
}

/**
 * Makes the body of an answer from a text that the assistant can say. The contract shows no shape
 * (contract/assumptions.yaml, tool-answer-fields).
 */
export const textAnswer = (text: string): IDataObject => ({ answer: text });
