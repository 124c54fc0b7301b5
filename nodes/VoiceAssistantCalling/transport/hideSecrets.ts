import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord, recordsIn } from '../../shared/client/json';
import { getSecret } from '../../shared/midCallTools/toolCall';
import { describeReceiver } from '../../shared/webhook/receiver';

const HIDDEN = '***';

type Value = IDataObject[string];

/** A URL without its token. Of another system's URL only the host. */
const withoutToken = (url: Value, secret?: string): Value =>
	url && describeReceiver(asText(url), secret).url;

const hideInTool = (tool: unknown): unknown => (isRecord(tool) ? hideSecrets(tool) : tool);

/** Where a record of an assistant or a tool has secrets (contract: Assistant record, Mid call tool). */
const HIDE: Record<string, (value: Value, record: IDataObject) => unknown> = {
	webhook_url: (url) => withoutToken(url),
	inbound_webhook_url: (url) => withoutToken(url),
	endpoint: (url, tool) => withoutToken(url, getSecret(tool)),
	headers: (headers) => recordsIn(headers).map((header) => ({ ...header, value: HIDDEN })),
	tools: (tools) => (Array.isArray(tools) ? (tools as unknown[]).map(hideInTool) : tools),
};

/**
 * A record as a model may see it: without the tokens of triggers, which are in the webhook URLs and in the
 * headers of tools, and without what another system entrusts to them.
 */
export function hideSecrets(record: IDataObject): IDataObject {
	const hidden = Object.entries(record).map(([name, value]) => [
		name,
		Object.hasOwn(HIDE, name) ? HIDE[name]?.(value, record) : value,
	]);
	return Object.fromEntries(hidden) as IDataObject;
}
