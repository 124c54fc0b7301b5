import { ProcessMemory } from '../processMemory';
import { serviceText } from '../values/serviceText';
import { triggerKey, type WebhookTriggerContext } from './triggerContext';

/** The most names in a line, and the most characters of one. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;

const logged = new ProcessMemory<true>('logged');

/**
 * Writes a line about a request into n8n's log, once a minute at most: a service can send the same thing
 * again and again. The line has names of fields, and no values.
 */
export function logOnce(
	context: WebhookTriggerContext,
	level: 'info' | 'warn',
	line: string,
): void {
	const key = `${triggerKey(context)} ${line}`;
	if (logged.get(key)) return;
	logged.set(key, true);
	context.logger[level](line);
}

/** Names of fields that were sent, for a line. */
export const sentNames = (names: string[]): string =>
	names
		.slice(0, MAX_NAMES)
		.map((name) => serviceText(name, '', MAX_NAME_LENGTH))
		.join(', ') || 'none';
