import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../shared/client/request';

/** Where an assistant sends its calls now. */
export interface Registration {
	/** Empty when none is set. */
	url: string;
	/** Whether calls are sent there. */
	isActive: boolean;
}

/** How one kind of event is registered. An assistant has only one URL for each kind. */
export interface CallEvent {
	/** For the middle of a sentence. */
	noun: string;
	/** The operation of the action node that removes any registered URL. */
	disable: string;
	read: (assistant: IDataObject) => Registration;
	register: (assistantId: number, url: string) => ServiceRequest;
	unregister: (assistantId: number) => ServiceRequest;
}

const urlIn = (value: unknown) => (typeof value === 'string' ? value : '');

export const events = {
	callCompleted: {
		noun: 'completed calls',
		disable: 'Assistant > Disable Webhook',
		read: (assistant) => ({
			url: urlIn(assistant.webhook_url),
			isActive: assistant.is_webhook_active === true,
		}),
		// The contract names an operation that enables the webhook, but not its path.
		register: (assistantId, url) => ({
			method: 'PUT',
			path: `/user/assistant/${assistantId}`,
			body: { is_webhook_active: true, webhook_url: url },
		}),
		unregister: (assistantId) => ({
			method: 'POST',
			path: '/user/assistants/disable-webhook',
			body: { assistant_id: assistantId },
		}),
	},
	inboundCallCompleted: {
		noun: 'completed inbound calls',
		disable: 'Assistant > Disable Inbound Webhook',
		// The inbound URL cannot be switched off (contract: Assistant record).
		read: (assistant) => ({ url: urlIn(assistant.inbound_webhook_url), isActive: true }),
		register: (assistantId, url) => ({
			method: 'POST',
			path: '/user/assistants/enable-inbound-webhook',
			body: { assistant_id: assistantId, webhook_url: url },
		}),
		unregister: (assistantId) => ({
			method: 'POST',
			path: '/user/assistants/disable-inbound-webhook',
			body: { assistant_id: assistantId },
		}),
	},
} satisfies Record<string, CallEvent>;

/** A value of *Trigger On*. */
export type TriggerOn = keyof typeof events;
