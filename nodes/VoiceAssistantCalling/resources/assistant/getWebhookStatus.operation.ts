import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord, recordsIn } from '../../../shared/client/json';
import { getSecret } from '../../../shared/midCallTools/toolCall';
import { recordShapes } from '../../../shared/records/recordShapes';
import { describeReceiver, isWebhookActive } from '../../../shared/webhook/receiver';
import type { Operation, ValueType } from '../operation';
import { assistantField, listUrl, oneAssistant, parseList } from './oneAssistant';

const toolStatus = (tool: IDataObject): IDataObject => ({
	id: tool.id,
	name: tool.name,
	...describeReceiver(asText(tool.endpoint), getSecret(tool)),
});

/** Where an assistant sends its calls, and the requests of its tools, from its record. */
function toStatus(assistant: IDataObject): IDataObject {
	const url = asText(assistant.webhook_url);
	const inboundUrl = asText(assistant.inbound_webhook_url);
	return {
		assistant_id: assistant.id,
		assistant_name: assistant.name,
		call_completed: {
			is_active: url !== '' && isWebhookActive(assistant),
			...describeReceiver(url),
		},
		inbound_call_completed: { is_active: inboundUrl !== '', ...describeReceiver(inboundUrl) },
		mid_call_tools: recordsIn(assistant.tools).map(toolStatus),
	};
}

const NOBODY =
	'Nobody receives the calls. If a workflow should, publish it again: a publish that was refused has switched off what was published before.';

const isActive = ({ call_completed: call, inbound_call_completed: inbound }: IDataObject) =>
	[call, inbound].some((webhook) => isRecord(webhook) && webhook.is_active === true);

const text: ValueType = { type: ['string', 'null'] };
const receiver: Record<string, ValueType> = {
	receiver: { type: 'string' },
	host: text,
	url: text,
	workflow_id: text,
	node_id: text,
};
const webhook: ValueType = {
	type: 'object',
	properties: { is_active: { type: 'boolean' }, ...receiver },
};
const tool: ValueType = {
	type: 'object',
	properties: { id: { type: 'integer' }, name: { type: 'string' }, ...receiver },
};
const status: Record<string, ValueType> = {
	assistant_id: { type: 'integer' },
	assistant_name: { type: 'string' },
	call_completed: webhook,
	inbound_call_completed: webhook,
	mid_call_tools: { type: 'array', items: tool },
};

export const getWebhookStatus: Operation = {
	name: 'Get Webhook Status',
	action: 'Get webhook status of assistant',
	description:
		'Find out who receives the calls and tool requests of an assistant. Secrets are hidden.',
	request: { method: 'GET', url: listUrl },
	parseResponse: parseList,
	record: recordShapes.assistant,
	fields: [assistantField],
	oneOfList: oneAssistant,
	hintAfterRun: ({ outputs }) => (outputs.every(isActive) ? undefined : NOBODY),
	output: { toItem: toStatus, fields: Object.keys(status), added: status },
};
