import type { IDataObject } from 'n8n-workflow';

import { getSecret } from '../../shared/midCallTools/toolCall';
import { isRecord } from '../../shared/values/json';
import { describeReceiver } from '../../shared/webhook/receiver';

const HIDDEN = '***';

type Value = IDataObject[string];

/** A URL without its token. Of another system's URL only the host. */
const withoutToken = (url: Value, secret?: string): Value =>
	typeof url === 'string' && url !== '' ? describeReceiver(url, secret).url : url;

/** Changes the objects in a list. What is no list, such as the headers of a whole response, stays. */
const inEach = (list: Value, change: (record: IDataObject) => IDataObject): unknown =>
	Array.isArray(list)
		? (list as unknown[]).map((each) => (isRecord(each) ? change(each) : each))
		: list;

/** Where a record, a body or a whole response has secrets (contract: Assistant record, Mid call tool). */
const HIDE: Record<string, (value: Value, record: IDataObject) => unknown> = {
	webhook_url: (url) => withoutToken(url),
	inbound_webhook_url: (url) => withoutToken(url),
	endpoint: (url, tool) => withoutToken(url, getSecret(tool)),
	headers: (headers) => inEach(headers, (header) => ({ ...header, value: HIDDEN })),
};

/** What is in a value, at any depth: a service may send a record in a list, in an object or in a whole response. */
function inAny(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inAny);
	return isRecord(value) ? hideSecrets(value) : value;
}

/**
 * A record as a model may see it: without the tokens of triggers, which are in the webhook URLs and in the
 * headers of tools, and without what another system entrusts to them.
 */
export function hideSecrets(record: IDataObject): IDataObject {
	const hidden = Object.entries(record).map(([name, value]) => {
		const hide = Object.hasOwn(HIDE, name) ? HIDE[name] : undefined;
		return [name, inAny(hide ? hide(value, record) : value)];
	});
	return Object.fromEntries(hidden) as IDataObject;
}
