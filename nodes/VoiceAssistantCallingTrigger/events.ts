import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../shared/client/request';
import { parseConfirmed } from '../shared/client/response';
import { asText } from '../shared/values/json';
import { isWebhookActive, postCallUrl, shownUrl } from '../shared/webhook/receiver';
import type { WebhookTriggerContext } from '../shared/webhook/triggerContext';

/** Where an assistant sends its calls now. */
export interface Registration {
	/** Empty when none is set, undefined when the service does not say it. */
	url: string | undefined;
	/** Whether calls are sent there. */
	isActive: boolean;
}

/** A registration whose URL is known. */
export interface KnownRegistration extends Registration {
	url: string;
}

/** Settings of an assistant that the trigger can change, by their names in the service. */
export type Settings = Record<string, boolean>;

/** How one kind of event is registered. An assistant has only one URL for each kind. */
export interface CallEvent {
	/** Whether the service waits for an answer. Such an event has a webhook of its own (`receivingWebhook`). */
	isAnswered: boolean;
	/** For the middle of a sentence. */
	noun: string;
	/** The operation of the action node that registers a URL. */
	enable: string;
	/** The operation of the action node that removes any registered URL. */
	disable: string;
	/** The field of the assistant's record that has the URL. */
	urlField: string;
	/** The assistant's settings for this event, by the fields of the trigger that choose them. */
	settings: Record<string, string>;
	/** @param isShown whether the service shows a field of assistants */
	read: (assistant: IDataObject, isShown: (field: string) => boolean) => Registration;
	/** Registers a URL and changes settings, in one request. */
	register: (
		assistantId: number,
		registration: KnownRegistration,
		settings: Settings,
	) => ServiceRequest;
	/** Removes the URL and changes settings, in one request. */
	unregister: (assistantId: number, settings: Settings) => ServiceRequest;
}

// The contract names an operation that enables the webhook, but not its path.
const updateAssistant = (assistantId: number, body: IDataObject): ServiceRequest => ({
	method: 'PUT',
	path: `/user/assistant/${assistantId}`,
	body,
	parseResponse: parseConfirmed,
});

const postTo = (path: string, body: IDataObject): ServiceRequest => ({
	method: 'POST',
	path: `/user/assistants/${path}`,
	body,
	parseResponse: parseConfirmed,
});

/** An assistant has one inbound URL for both inbound events (public-service: Inbound webhook). */
const inboundWebhook = {
	enable: 'Voice Assistant → Enable Inbound Webhook',
	disable: 'Voice Assistant → Disable Inbound Webhook',
	urlField: 'inbound_webhook_url',
	settings: {},
	// The inbound URL cannot be switched off (contract: Assistant record), so no flag tells whether there
	// is one. A service that shows the URLs of other assistants leaves out what is not set.
	read: (assistant, isShown) => {
		const isLeftOut = !Object.hasOwn(assistant, 'inbound_webhook_url');
		const url = shownUrl(assistant.inbound_webhook_url);
		return { url: isLeftOut && isShown('inbound_webhook_url') ? '' : url, isActive: true };
	},
	register: (assistantId, { url }) =>
		postTo('enable-inbound-webhook', { assistant_id: assistantId, webhook_url: url }),
	unregister: (assistantId) => postTo('disable-inbound-webhook', { assistant_id: assistantId }),
} satisfies Partial<CallEvent>;

export const events = {
	callCompleted: {
		isAnswered: false,
		noun: 'completed calls',
		enable: 'Voice Assistant → Enable Webhook',
		disable: 'Voice Assistant → Disable Webhook',
		urlField: 'webhook_url',
		settings: {
			calls: 'send_webhook_only_on_completed',
			recording: 'include_recording_in_webhook',
		},
		read: (assistant) => ({
			url: postCallUrl(assistant),
			isActive: isWebhookActive(assistant),
		}),
		register: (assistantId, { url, isActive }, settings) =>
			updateAssistant(assistantId, {
				is_webhook_active: isActive,
				webhook_url: url,
				...settings,
			}),
		unregister: (assistantId, settings) =>
			Object.keys(settings).length === 0
				? postTo('disable-webhook', { assistant_id: assistantId })
				: updateAssistant(assistantId, {
						is_webhook_active: false,
						webhook_url: null,
						...settings,
					}),
	},
	inboundCallCompleted: {
		...inboundWebhook,
		isAnswered: false,
		noun: 'completed inbound calls',
	},
	inboundCallStarting: {
		...inboundWebhook,
		isAnswered: true,
		noun: 'questions before inbound calls',
	},
} satisfies Record<string, CallEvent>;

/** A value of *Trigger On*. */
type TriggerOn = keyof typeof events;

/** The event and the assistant that the trigger is registered for, as entered. */
export const readPurpose = (
	context: WebhookTriggerContext,
): readonly [event: TriggerOn, assistantId: string] => [
	context.getNodeParameter('triggerOn') as TriggerOn,
	asText(context.getNodeParameter('assistantId', '', { extractValue: true })),
];
