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
import { olderFields } from './newerFields.mts';
import { assistantRecord, assistantSummary } from './record.mts';

/** POST /user/assistant. The contract's defaults are filled in before. */
const createAssistant: Handler<object> = (context, user, { body }) => {
	const { settings, errors } = readSettings(context, user, body);
	// The contract was checked: all other fields have values.
	const whole = { end_call_tool: {}, ...settings } as AssistantSettings;
	const assistant = addAssistant(context, user, whole, {}, errors);
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
 * @param errors what is known to be wrong already
 * @throws {ApiError} 422 when it refers to a record that the user does not have
 */
export function addAssistant(
	context: Context,
	user: User,
	body: AssistantSettings,
	seeded: Partial<Pick<Assistant, 'id' | 'status' | 'inbound_webhook_url'>> = {},
	errors: FieldErrors = {},
): Assistant {
	const { state, now, random, assumptions } = context;
	const settings = withoutRepeatedTools(body);
	requireValidSettings(context, user, settings, settings, errors);
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
const updateAssistant: Handler<object> = (context, user, { id, body }) => {
	const assistant = requireOwned('Assistant', context.state.assistants, id, user);
	const { settings: given, errors } = readSettings(context, user, body, assistant.settings);
	const settings = withoutRepeatedTools({ ...assistant.settings, ...given });
	// Clearing the URL disables the webhook, unless the same request activates it.
	if (given.webhook_url === null && given.is_webhook_active !== true) {
		settings.is_webhook_active = false;
	}
	const isCleared = context.assumptions['webhook-inactive-keeps-url'] === 'cleared';
	if (given.is_webhook_active === false && isCleared) settings.webhook_url = null;
	requireValidSettings(context, user, settings, given, errors);
	const updated = { ...assistant, settings, updated_at: context.now };
	context.state.assistants.update(updated);
	const isAboutWebhook = given.webhook_url !== undefined || given.is_webhook_active !== undefined;
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
		show: (assistant) => assistantRecord(context, assistant),
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

/** The fields of a request in the names of the contract, and what is wrong with them (assumption: assistant-fields). */
function readSettings(
	{ assumptions }: Context,
	user: User,
	body: Partial<AssistantSettings>,
	before?: AssistantSettings,
): { settings: Partial<AssistantSettings>; errors: FieldErrors } {
	return assumptions['assistant-fields'] === 'newer'
		? olderFields(body, user, assumptions, before)
		: { settings: body, errors: {} };
}

/**
 * Checks the rules that depend on more than the request: referenced records, and the webhook.
 *
 * @param given the fields of an update; other fields are not checked again
 * @param errors what is known to be wrong already
 * @throws {ApiError} 422
 */
function requireValidSettings(
	{ state }: Context,
	user: User,
	settings: AssistantSettings,
	given: Partial<AssistantSettings>,
	errors: FieldErrors,
): void {
	const requireKnown = (isKnown: boolean, field: string, name: string): void => {
		if (!isKnown) errors[field] = [`The selected ${name} is invalid.`];
	};
	const { voice_id, language, phone_number_id: line, tool_ids, timezone } = given;
	const voice = user.voices.find(({ id }) => id === settings.voice_id);
	requireKnown(voice_id === undefined || voice !== undefined, 'voice_id', 'voice id');
	const choosesVoice = voice_id !== undefined || given.engine_type !== undefined;
	if (choosesVoice && voice?.modes.includes(settings.engine_type) === false) {
		const chosen = given === settings ? 'chosen' : 'selected';
		errors['voice_id'] = [`The selected voice is not compatible with the ${chosen} engine type.`];
	}
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
