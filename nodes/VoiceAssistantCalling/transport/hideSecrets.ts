import { isRecord } from '../../shared/values/json';

/** What triggers put into webhook URLs and headers of tools (nodes/shared/webhook/token.ts). */
const TRIGGER_TOKEN = /(?<![\da-f])[\da-f]{64}(?![\da-f])/gi;

/**
 * A value as a model may see it: without the tokens of triggers, wherever a service shows them. The API token is in
 * no body, see `readBody`.
 */
export function hideSecrets<Value>(value: Value): Value {
	if (typeof value === 'string') return value.replace(TRIGGER_TOKEN, '***') as Value;
	if (Array.isArray(value)) return value.map(hideSecrets) as Value;
	if (!isRecord(value)) return value;
	const entries = Object.entries(value).map(([name, each]) => [name, hideSecrets(each)]);
	return Object.fromEntries(entries) as Value;
}
