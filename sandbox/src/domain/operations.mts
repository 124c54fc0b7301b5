import type { User } from '../store/records.mts';
import type { Answer } from './answers.mts';
import {
	createAssistant,
	disableInboundWebhook,
	disableWebhook,
	enableInboundWebhook,
	listAssistants,
	updateAssistant,
} from './assistants.mts';
import { listCalls } from './callList.mts';
import { updateCampaignStatus } from './campaigns.mts';
import type { Context, DomainRequest } from './context.mts';
import { createLead, updateLead } from './leads.mts';
import { sendSms } from './sms.mts';
import { createTool, updateTool } from './tools.mts';

/** A handler whose request somebody else has checked: `never` fits whatever it wants. */
type CheckedHandler = (
	context: Context,
	user: User,
	request: DomainRequest<never, never>,
) => Answer;

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
