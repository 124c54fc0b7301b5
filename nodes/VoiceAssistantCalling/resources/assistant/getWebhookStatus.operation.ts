import type { IDataObject } from 'n8n-workflow';

import { asText, recordsIn } from '../../../shared/client/json';
import { secretOf } from '../../../shared/midCallTools/secret';
import { describeReceiver } from '../../../shared/webhook/receiver';
import type { ToOutput } from '../resource';
import { assistantField } from './oneAssistant';

export const fields = [assistantField];

export { oneAssistant as oneOfList } from './oneAssistant';

const toolStatus = (tool: IDataObject): IDataObject => ({
	id: tool.id,
	name: tool.name,
	...describeReceiver(asText(tool.endpoint), secretOf(tool)),
});

/** Where an assistant sends its calls, and the requests of its tools, from its record. */
export const toOutput: ToOutput = (assistant) => {
	const url = asText(assistant.webhook_url);
	const inboundUrl = asText(assistant.inbound_webhook_url);
	return {
		assistant_id: assistant.id,
		assistant_name: assistant.name,
		call_completed: {
			is_active: url !== '' && assistant.is_webhook_active === true,
			...describeReceiver(url),
		},
		inbound_call_completed: { is_active: inboundUrl !== '', ...describeReceiver(inboundUrl) },
		mid_call_tools: recordsIn(assistant.tools).map(toolStatus),
	};
};
