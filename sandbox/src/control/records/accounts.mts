import * as z from 'zod';

import { id } from '../../base/queryFields.mts';
import { hideInUrl, HIDDEN } from '../../base/secrets.mts';
import { CALL_STATUSES, LEAD_STATUSES } from '../../contract/statuses.mts';
import { webhookUrl } from '../../domain/call/notifications.mts';
import { leadName } from '../../domain/lead/leadName.mts';
import { attachedTools } from '../../domain/midCallTool/operations.mts';
import type { SandboxEngine } from '../../runtime/engine.mts';
import type { Assistant, Campaign, Lead, Tool, User } from '../../store/records.mts';
import type { State } from '../../store/store.mts';
import { calls } from './calls.mts';
import {
	assistantName,
	defaultVariables,
	iso,
	ownedFields,
	related,
	type RecordKind,
} from './recordKind.mts';

const userRow = (user: User, { state }: SandboxEngine) => ({
	id: user.id,
	name: user.name,
	balance: user.balance,
	tool_quota: user.tool_quota,
	tools: state.tools.count([['user_id', 'is', user.id]]),
	assistants: state.assistants.count([['user_id', 'is', user.id]]),
	campaigns: state.campaigns.count([['user_id', 'is', user.id]]),
});

/** Accounts of the service, without their tokens unless those are asked for. */
export const users: RecordKind<User> = {
	name: 'user',
	brief: userRow,
	whole: (user, engine, withSecrets) => ({
		...userRow(user, engine),
		phone_numbers: engine.state.phoneNumbers
			.select([['user_id', 'is', user.id]])
			.map(({ id, phone_number, sms_capable, subscription_expires_at: expiry }) => ({
				id,
				phone_number,
				sms_capable,
				subscription_expires_at: iso(expiry),
			})),
		voices: user.voices,
		languages: user.languages,
		...(withSecrets && { token: user.token }),
	}),
};

/** Assistants, with the receivers of their webhooks. */
export const assistants: RecordKind<Assistant> = {
	name: 'assistant',
	searched: ['settings.assistant_name'],
	brief: (assistant, engine) => assistantRow(assistant, engine, false),
	whole(assistant, engine, withSecrets) {
		const { state } = engine;
		const { settings, user_id, uuid } = assistant;
		const webhook = settings.webhook_url;
		return {
			...assistantRow(assistant, engine, withSecrets),
			uuid,
			settings: {
				...settings,
				webhook_url: webhook === null || withSecrets ? webhook : hideInUrl(webhook),
			},
			tools: attachedTools(state, assistant).map(({ id, name, schema }) => ({ id, name, schema })),
			campaigns: state.campaigns
				.select([['user_id', 'is', user_id]])
				.filter((campaign) => campaign.assistant_id === assistant.id)
				.map(({ id, name, status }) => ({ id, name, status })),
		};
	},
};

function assistantRow(assistant: Assistant, { state }: SandboxEngine, withSecrets: boolean) {
	const { settings, status } = assistant;
	return {
		...ownedFields(assistant),
		name: settings.assistant_name,
		status,
		calls_direction: settings.calls_direction,
		language: settings.language,
		phone_number: state.phoneNumbers.get(settings.phone_number_id)?.phone_number ?? null,
		webhook: receiver(webhookUrl(assistant, 'postCall'), withSecrets),
		inbound_webhook: receiver(webhookUrl(assistant, 'inboundCall'), withSecrets),
	};
}

/** Who receives a webhook; null when it is disabled. */
function receiver(url: string | null, withSecrets: boolean) {
	if (url === null) return null;
	const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' };
	return { url: withSecrets ? url : hideInUrl(url), host, kind: receiverKind(pathname) };
}

/** n8n has webhooks of published workflows and of test runs at different paths, unless told otherwise. */
function receiverKind(path: string): 'n8n-production' | 'n8n-test' | 'other' {
	const [, endpoint] = /\/(webhook|webhook-test)\//.exec(path) ?? [];
	if (endpoint === undefined) return 'other';
	return endpoint === 'webhook' ? 'n8n-production' : 'n8n-test';
}

const toolRow = (tool: Tool) => ({
	...ownedFields(tool),
	name: tool.name,
	description: tool.description,
	method: tool.method,
	endpoint: hideInUrl(tool.endpoint),
	timeout: tool.timeout,
});

/** Mid call tools, with the assistants that use them. The values of headers can be secrets. */
export const tools: RecordKind<Tool> = {
	name: 'tool',
	searched: ['name', 'endpoint'],
	brief: toolRow,
	whole: (tool, { state }, withSecrets) => ({
		...toolRow(tool),
		...(withSecrets && { endpoint: tool.endpoint }),
		headers: tool.headers.map(({ name, value }) => ({ name, value: withSecrets ? value : HIDDEN })),
		schema: tool.schema,
		assistants: state.assistants
			.select([['user_id', 'is', tool.user_id]])
			.filter(({ settings }) => settings.tool_ids.includes(tool.id))
			.map(({ id, settings }) => ({ id, name: settings.assistant_name })),
	}),
};

const campaignRow = (campaign: Campaign, { state }: SandboxEngine) => ({
	...ownedFields(campaign),
	name: campaign.name,
	status: campaign.status,
	assistant_id: campaign.assistant_id,
	assistant_name: assistantName(state, campaign.assistant_id),
	progress: progress(state, campaign),
});

/** Campaigns, with what became of their leads and calls. */
export const campaigns: RecordKind<Campaign> = {
	name: 'campaign',
	searched: ['name'],
	brief: campaignRow,
	whole: (campaign, engine) => ({
		...campaignRow(campaign, engine),
		outcomes: outcomes(engine.state, campaign),
	}),
};

/** How many of a campaign's leads have each status, and how many calls it has running. */
function progress({ leads, calls }: State, { id }: Campaign) {
	const ofCampaign = ['campaign_id', 'is', id] as const;
	const byStatus = LEAD_STATUSES.map((status): [string, number] => [
		status,
		leads.count([[...ofCampaign], ['status', 'is', status]]),
	]);
	return {
		...Object.fromEntries(byStatus),
		total: byStatus.reduce((sum, [, count]) => sum + count, 0),
		running_calls: calls.count([[...ofCampaign], ['running', 'is', true]]),
	};
}

/** How many of a campaign's finished calls ended with each status that occurs. */
function outcomes({ calls }: State, { id }: Campaign): { [status: string]: number } {
	const byStatus = CALL_STATUSES.map((status): [string, number] => [
		status,
		calls.count([
			['campaign_id', 'is', id],
			['running', 'is', false],
			['status', 'is', status],
		]),
	]);
	return Object.fromEntries(byStatus.filter(([, count]) => count > 0));
}

const leadRow = (lead: Lead, { state }: SandboxEngine) => ({
	...ownedFields(lead),
	campaign_id: lead.campaign_id,
	campaign_name: state.campaigns.get(lead.campaign_id)?.name ?? null,
	phone_number: lead.phone_number,
	name: leadName(lead),
	variables: lead.variables,
	status: lead.status,
	attempts: lead.attempts,
	next_attempt_at: lead.status === 'created' ? iso(lead.next_attempt_at) : null,
});

/** Leads, with the calls to each. */
export const leads: RecordKind<Lead> = {
	name: 'lead',
	filters: { campaign_id: id, status: z.enum(LEAD_STATUSES) },
	searched: ['phone_number', 'variables'],
	brief: leadRow,
	whole(lead, engine) {
		const { state, scenarios } = engine;
		const campaign = state.campaigns.get(lead.campaign_id);
		const settings = state.assistants.get(campaign?.assistant_id)?.settings;
		const input_variables = { ...settings?.variables, ...lead.variables };
		return {
			...leadRow(lead, engine),
			scenario: lead.scenario,
			scenario_title: lead.scenario === null ? null : scenarios.title(lead.scenario),
			tool: lead.tool,
			call_again: lead.call_again,
			campaign: campaign ? { id: campaign.id, name: campaign.name, status: campaign.status } : null,
			assistant_id: campaign?.assistant_id ?? null,
			assistant_name: settings?.assistant_name ?? null,
			/** What the next call begins with. */
			input_variables,
			default_variables: defaultVariables(settings, input_variables, lead.variables),
			calls: related(state.calls, ['lead_id', 'is', lead.id]).map((call) =>
				calls.brief(call, engine),
			),
		};
	},
};
