import { hideInUrl } from '../../base/secrets.mts';
import { webhookUrl } from '../../domain/call/notifications.mts';
import { attachedTools } from '../../domain/midCallTool/operations.mts';
import type { SandboxEngine } from '../../runtime/engine.mts';
import type { Assistant } from '../../store/records.mts';
import { iso, type RecordKind } from './recordKind.mts';

/** Assistants, with the receivers of their webhooks. */
export const assistants: RecordKind<Assistant> = {
	name: 'assistant',
	table: (state) => state.assistants,
	filters: {},
	searched: ['settings.assistant_name'],
	brief: (assistant, engine) => brief(assistant, engine, false),
	whole(assistant, engine, withSecrets) {
		const { state } = engine;
		const webhook = assistant.settings.webhook_url;
		return {
			...brief(assistant, engine, withSecrets),
			uuid: assistant.uuid,
			settings: {
				...assistant.settings,
				webhook_url: webhook === null || withSecrets ? webhook : hideInUrl(webhook),
			},
			tools: attachedTools(state, assistant).map(({ id, name }) => ({ id, name })),
			campaigns: state.campaigns
				.select([['user_id', 'is', assistant.user_id]])
				.filter((campaign) => campaign.assistant_id === assistant.id)
				.map(({ id, name, status }) => ({ id, name, status })),
		};
	},
};

function brief(assistant: Assistant, { state }: SandboxEngine, withSecrets: boolean) {
	const { settings } = assistant;
	const line = settings.phone_number_id;
	return {
		id: assistant.id,
		user_id: assistant.user_id,
		created_at: iso(assistant.created_at),
		updated_at: iso(assistant.updated_at),
		name: settings.assistant_name,
		status: assistant.status,
		calls_direction: settings.calls_direction,
		language: settings.language,
		phone_number: line === null ? null : (state.phoneNumbers.get(line)?.phone_number ?? null),
		webhook: receiver(webhookUrl(assistant, 'postCall'), withSecrets),
		inbound_webhook: receiver(webhookUrl(assistant, 'inboundCall'), withSecrets),
	};
}

/** Who receives a webhook; null when it is disabled. */
function receiver(url: string | null, withSecrets: boolean) {
	if (url === null) return null;
	return {
		url: withSecrets ? url : hideInUrl(url),
		host: URL.canParse(url) ? new URL(url).host : '',
		kind: receiverKind(url),
	};
}

/** n8n has webhooks of published workflows and of test runs at different paths, unless told otherwise. */
function receiverKind(url: string): 'n8n-production' | 'n8n-test' | 'other' {
	const path = URL.canParse(url) ? new URL(url).pathname : '';
	const [, endpoint] = /\/(webhook|webhook-test)\//.exec(path) ?? [];
	if (endpoint === undefined) return 'other';
	return endpoint === 'webhook' ? 'n8n-production' : 'n8n-test';
}
