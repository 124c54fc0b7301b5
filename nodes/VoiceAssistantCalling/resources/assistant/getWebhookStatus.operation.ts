import type { IDataObject } from 'n8n-workflow';

import { isBuiltIn, toolsOf } from '../../../shared/assistants/assistantTools';
import { getSecret } from '../../../shared/midCallTools/toolCall';
import { recordShapes } from '../../../shared/records/recordShapes';
import { isRecord } from '../../../shared/values/json';
import {
	readReceiver,
	isWebhookActive,
	postCallUrl,
	shownUrl,
} from '../../../shared/webhook/receiver';
import type { Operation, ValueType } from '../operation';
import { assistantField, listUrl, oneAssistant, parseList } from './oneAssistant';

const toolStatus = (tool: IDataObject): IDataObject => ({
	id: tool.id,
	name: tool.name,
	...readReceiver(shownUrl(tool.endpoint), getSecret(tool)),
});

/** The custom tools of an assistant; null when its record shows none, which does not say that it has none. */
function toolStatuses(assistant: IDataObject): IDataObject[] | null {
	const custom = toolsOf(assistant)?.filter((tool) => !isBuiltIn(tool)) ?? [];
	return custom.length === 0 ? null : custom.map(toolStatus);
}

/** Whether calls are sent to a URL; null when the service does not say it. */
const isSentTo = (url: string | undefined, isActive: unknown): boolean | null => {
	if (url === undefined) return isActive === true ? true : null;
	return url !== '' && isActive === true;
};

/** Where an assistant sends its calls, and the requests of its tools, from its record. */
function toStatus(assistant: IDataObject): IDataObject {
	const url = postCallUrl(assistant);
	const inboundUrl = shownUrl(assistant.inbound_webhook_url);
	const isActive = url === undefined ? assistant.is_webhook_active : isWebhookActive(assistant);
	return {
		assistant_id: assistant.id,
		assistant_name: assistant.name,
		call_completed: { is_active: isSentTo(url, isActive), ...readReceiver(url) },
		inbound_call_completed: {
			is_active: isSentTo(inboundUrl, inboundUrl !== undefined),
			...readReceiver(inboundUrl),
		},
		mid_call_tools: toolStatuses(assistant),
	};
}

/** Whether nobody receives the calls of an assistant, as far as the service shows it. */
const hasNobody = ({ call_completed: call, inbound_call_completed: inbound }: IDataObject) =>
	[call, inbound].every((webhook) => isRecord(webhook) && webhook.is_active === false);

/** Says of how many assistants nobody receives the calls; undefined when each has a receiver. */
function nobodyHint(outputs: IDataObject[]): string | undefined {
	const count = outputs.filter(hasNobody).length;
	if (count === 0) return undefined;
	const whose = outputs.length > 1 ? ` of ${count} of ${outputs.length} assistants` : '';
	return `Nobody receives the calls${whose}. If a workflow should, publish it again: a publish that was refused has switched off what was published before.`;
}

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
	properties: { is_active: { type: ['boolean', 'null'] }, ...receiver },
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
	mid_call_tools: { type: ['array', 'null'], items: tool },
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
	hintAfterRun: ({ outputs }) => nobodyHint(outputs),
	output: { toItem: toStatus, fields: Object.keys(status), added: status },
};
