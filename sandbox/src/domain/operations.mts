import type { Response } from '../base/response.mts';
import type { User } from '../store/records.mts';
import {
	createAssistant,
	disableInboundWebhook,
	disableWebhook,
	enableInboundWebhook,
	listAssistants,
	updateAssistant,
} from './assistant/operations.mts';
import { listCalls } from './call/operations.mts';
import { updateCampaignStatus } from './campaign/operations.mts';
import type { Context, DomainRequest } from './context.mts';
import { createLead, updateLead } from './lead/operations.mts';
import { createTool, updateTool } from './midCallTool/operations.mts';
import { sendSms } from './sms/operations.mts';

/** A handler for a request that fits the contract. `never` stands for each handler's own types. */
type CheckedHandler = (
	context: Context,
	user: User,
	request: DomainRequest<never, never>,
) => Response;

/** Every operation of the contract, by operationId. */
export const operations: { [operationId: string]: CheckedHandler } = {
	createAssistant,
	createLead,
	createTool,
	disableInboundWebhook,
	disableWebhook,
	enableInboundWebhook,
	listAssistants,
	listCalls,
	sendSms,
	updateAssistant,
	updateCampaignStatus,
	updateLead,
	updateTool,
};
