import type { IDataObject } from 'n8n-workflow';

import { asText, recordsIn } from '../client/json';

/** Carries the secret of the trigger in each request of the tool. */
export const TOKEN_HEADER = 'X-Tool-Token';

/** The secret that a tool sends; empty when its record does not show one (contract: Mid call tool). */
export function secretOf({ headers }: IDataObject): string {
	const isSecret = ({ name }: IDataObject) =>
		asText(name).toLowerCase() === TOKEN_HEADER.toLowerCase();
	return asText(recordsIn(headers).find(isSecret)?.value);
}
