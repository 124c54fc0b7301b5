import { IANAZone } from 'luxon';

import { throwIfAny, type FieldErrors } from '../../base/apiError.mts';
import { shownUrl } from '../../base/secrets.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Assistant, AssistantSettings, User } from '../../store/records.mts';
import type { Context, Handler } from '../context.mts';
import { addEvent, describeAssistant, listFields, assistantSubjects } from '../events.mts';
import { findOwned, requireOwned } from '../ownership.mts';
import { pageResponse, type PageQuery } from '../page.mts';
import { listAllAssistants, listOutboundAssistants } from './lists.mts';
import { assistantRecord, assistantSummary } from './record.mts';

/** POST /user/assistant. The contract's defaults are filled in before. */
const createAssistant: Handler<AssistantSettings> = (context, user, { body }) => {
	const assistant = addAssistant(context, user, body);
	tell(context, assistant, `was created. ${aboutWebhook(assistant)}`);
	return {
		status: 201,
		body: { message: 'Assistant created successfully', data: assistantSummary(assistant) },
	};
};

/**
 * Stores an assistant.
 *
 * @param seeded fields that only a seed can choose
 * @throws {ApiError} 422 when it refers to a record that the user does not have
 */
export function addAssistant(
	context: Context,
	user: User,
	body: AssistantSettings,
	seeded: Partial<Pick<Assistant, 'id' | 'status' | 'inbound_webhook_url'>> = {},
): Assistant {
	const { state, now, random, assumptions } = context;
	const settings = withoutRepeatedTools(body);
	requireValidSettings(context, user, settings);
	return state.assistants.insert({
		user_id: user.id,
		uuid: random.uuid(),
		status: assumptions['assistant-status'],
		settings,
		inbound_webhook_url: null,
		created_at: now,
		updated_at: now,
		...seeded,
	});
}

/** PUT /user/assistant/{id}. Only the given fields change; the rules of create apply to them. */
const updateAssistant: Handler<Schemas['AssistantUpdate']> = (context, user, { id, body }) => {
	const assistant = requireOwned('Assistant', context.state.assistants, id, user);
	const settings = withoutRepeatedTools({ ...assistant.settings, ...body });
	// Clearing the URL disables the webhook, unless the same request activates it.
	if (body.webhook_url === null && body.is_webhook_active !== true) {
		settings.is_webhook_active = false;
	}
	const isCleared = context.assumptions['webhook-inactive-keeps-url'] === 'cleared';
	if (body.is_webhook_active === false && isCleared) settings.webhook_url = null;
	requireValidSettings(context, user, settings, body);
	const updated = { ...assistant, settings, updated_at: context.now };
	context.state.assistants.update(updated);
	const isAboutWebhook = body.webhook_url !== undefined || body.is_webhook_active !== undefined;
	const webhook = isAboutWebhook ? ` ${aboutWebhook(updated)}` : '';
	tell(context, updated, `was changed: ${listFields(body)}.${webhook}`);
	return {
		status: 200,
		body: { message: 'Assistant updated successfully', data: assistantSummary(updated) },
	};
};

/** GET /user/assistants/get, or another path (assumption: list-assistants-path) */
const listAssistants: Handler<undefined, PageQuery> = (context, user, request) => {
	const { state, baseUrl, assumptions } = context;
	return pageResponse({
		table: state.assistants,
		conditions: [['user_id', 'is', user.id]],
		order: { newestFirst: assumptions['assistant-order'] === 'newest-first' },
		...request,
		path: `${baseUrl}${assumptions['list-assistants-path']}`,
		show: (assistant) => assistantRecord(state, assistant),
	});
};

/** DELETE /user/assistant/{id} (public-service.md: PUT and DELETE /user/assistant/{id}, S1, S2, S12a) */
const deleteAssistant: Handler = (context, user, { id }) => {
	const assistant = requireOwned('Assistant', context.state.assistants, id, user);
	context.state.assistants.delete(id);
	tell(context, assistant, 'was deleted.');
	return { status: 200, body: { message: 'Assistant deleted successfully' } };
};

/** POST /user/assistants/enable-webhook (public-service.md: Webhooks of an assistant, S4a, S4b) */
const enableWebhook: Handler<Schemas['InboundWebhook']> = (context, user, { body }) => {
	const assistant = requireOwned('Assistant', context.state.assistants, body.assistant_id, user);
	const { webhook_url } = body;
	const settings = { ...assistant.settings, is_webhook_active: true, webhook_url };
	const updated = { ...assistant, settings, updated_at: context.now };
	context.state.assistants.update(updated);
	tell(context, updated, `was changed. ${aboutWebhook(updated)}`);
	return { status: 200, body: { message: 'Webhook enabled successfully', data: [] } };
};

/** POST /user/assistants/disable-webhook */
const disableWebhook: Handler<Schemas['AssistantReference']> = (context, user, { body }) => {
	const assistant = requireOwned('Assistant', context.state.assistants, body.assistant_id, user);
	const settings = { ...assistant.settings, is_webhook_active: false, webhook_url: null };
	context.state.assistants.update({ ...assistant, settings, updated_at: context.now });
	tell(context, assistant, 'has no webhook after calls any more.');
	return { status: 200, body: { message: 'Webhook disabled successfully', data: [] } };
};

/** POST /user/assistants/enable-inbound-webhook */
const enableInboundWebhook: Handler<Schemas['InboundWebhook']> = (context, user, { body }) => {
	const assistant = requireOwned('Assistant', context.state.assistants, body.assistant_id, user);
	const inbound_webhook_url = body.webhook_url;
	context.state.assistants.update({ ...assistant, inbound_webhook_url, updated_at: context.now });
	const url = shownUrl(inbound_webhook_url);
	tell(context, assistant, `sends a webhook after inbound calls to ${url}.`);
	return { status: 200, body: { message: 'Webhook enabled successfully', data: [] } };
};

/** POST /user/assistants/disable-inbound-webhook */
const disableInboundWebhook: Handler<Schemas['AssistantReference']> = (context, user, { body }) => {
	const assistant = requireOwned('Assistant', context.state.assistants, body.assistant_id, user);
	const updated = { ...assistant, inbound_webhook_url: null, updated_at: context.now };
	context.state.assistants.update(updated);
	tell(context, assistant, 'has no webhook after inbound calls any more.');
	return { status: 200, body: { message: 'Inbound webhook disabled successfully', data: [] } };
};

const tell = (context: Context, assistant: Assistant, whatHappened: string): void =>
	addEvent(context, {
		kind: 'assistant-changed',
		text: `${describeAssistant(assistant)} ${whatHappened}`,
		...assistantSubjects(assistant),
	});

function aboutWebhook({ settings }: Assistant): string {
	const { is_webhook_active, webhook_url } = settings;
	return is_webhook_active && webhook_url !== null
		? `It sends a webhook after calls to ${shownUrl(webhook_url)}.`
		: 'It sends no webhook after calls.';
}

/**
 * Checks the rules that depend on more than the request: referenced records, and the webhook.
 *
 * @param given the fields of an update; other fields are not checked again
 * @throws {ApiError} 422
 */
function requireValidSettings(
	{ state }: Context,
	user: User,
	settings: AssistantSettings,
	given: Partial<AssistantSettings> = settings,
): void {
	const errors: FieldErrors = {};
	const requireKnown = (isKnown: boolean, field: string, name: string): void => {
		if (!isKnown) errors[field] = [`The selected ${name} is invalid.`];
	};
	const { voice_id, language, phone_number_id: line, tool_ids, timezone } = given;
	const hasVoice = voice_id === undefined || user.voices.some(({ id }) => id === voice_id);
	requireKnown(hasVoice, 'voice_id', 'voice id');
	requireKnown(language === undefined || user.languages.includes(language), 'language', 'language');
	if (timezone !== undefined && !IANAZone.create(timezone).isValid) {
		errors['timezone'] = ['The timezone field must be a valid timezone.'];
	}
	const hasLine = line == null || findOwned(state.phoneNumbers, line, user) !== undefined;
	requireKnown(hasLine, 'phone_number_id', 'phone number id');
	tool_ids?.forEach((id, index) => {
		const field = `tool_ids.${index}`;
		requireKnown(findOwned(state.tools, id, user) !== undefined, field, field);
	});
	const { is_webhook_active, webhook_url } = settings;
	if (is_webhook_active && webhook_url === null) {
		errors['webhook_url'] = ['The webhook url field is required when is webhook active is true.'];
	}
	throwIfAny(errors);
}

const withoutRepeatedTools = (settings: AssistantSettings): AssistantSettings => ({
	...settings,
	tool_ids: [...new Set(settings.tool_ids)],
});

export const operations = {
	createAssistant,
	deleteAssistant,
	disableInboundWebhook,
	disableWebhook,
	enableInboundWebhook,
	enableWebhook,
	listAllAssistants,
	listAssistants,
	listOutboundAssistants,
	updateAssistant,
};
