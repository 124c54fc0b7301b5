import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../shared/client/request';

/** Where an assistant delivers its calls now. */
export interface Registration {
	/** Empty where none is set. */
	url: string;
	/** Whether calls are delivered there. */
	isActive: boolean;
}

/** How one kind of event is registered at an assistant; each has one address only. */
export interface CallEvent {
	/** In the middle of a sentence. */
	noun: string;
	/** The operation of the action node that takes off whatever address is registered. */
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
		// The documented way: the contract names an enable operation, but not its path.
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
		// The inbound address has no switch of its own (contract: Assistant record).
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
