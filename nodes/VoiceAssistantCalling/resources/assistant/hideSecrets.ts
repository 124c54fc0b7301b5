import type { IDataObject } from 'n8n-workflow';

import { asText, recordsIn } from '../../../shared/client/json';
import { getSecret } from '../../../shared/midCallTools/toolCall';
import { describeReceiver } from '../../../shared/webhook/receiver';

const HIDDEN = '***';

const hideToken = (url: IDataObject[string]): IDataObject[string] =>
	url && describeReceiver(asText(url)).url;

const hideInTool = (tool: IDataObject): IDataObject => ({
	...tool,
	endpoint: describeReceiver(asText(tool.endpoint), getSecret(tool)).url,
	headers: recordsIn(tool.headers).map((header) => ({ ...header, value: HIDDEN })),
});

/**
 * An assistant as a model may see it: without the tokens of triggers, which are in the webhook URLs and in the
 * headers of tools, and without what another system entrusts to them.
 */
export function hideSecrets(assistant: IDataObject): IDataObject {
	const hidden = { ...assistant };
	for (const name of ['webhook_url', 'inbound_webhook_url'].filter((each) => each in hidden)) {
		hidden[name] = hideToken(hidden[name]);
	}
	if ('tools' in hidden) hidden.tools = recordsIn(hidden.tools).map(hideInTool);
	return hidden;
}
