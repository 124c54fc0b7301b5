import { serviceText } from '../values/serviceText';

/** The most names in a line, and the most characters of one. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;

/** Names of fields that were sent, for a line of n8n's log, which shows no values. */
export const sentNames = (names: string[]): string =>
	names
		.slice(0, MAX_NAMES)
		.map((name) => serviceText(name, '', MAX_NAME_LENGTH))
		.join(', ') || 'none';
