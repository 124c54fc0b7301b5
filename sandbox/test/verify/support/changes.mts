import { readdir } from 'node:fs/promises';
import type { Questions } from '../../../src/verify/questions.mts';
import type { Undo } from '../../../src/verify/undo.mts';
import { verifyAccount, type Verification } from '../../../src/verify/verify.mts';
import { getRows, serviceClient, type ServiceClient } from '../../support/client.mts';
import { asObject, type JsonObject } from '../../support/contract.mts';
import type { SandboxOptions } from '../../support/service.mts';
import { account, TOKEN } from './account.mts';
import { startProvider } from './measure.mts';

/** A part of a URL that only its owner may know. */
export const SECRET_PART = 'part-of-a-webhook-url';

/** The account, with webhooks that have to be restored. Assistant 1 has both, 2 an inactive one, 3 none. */
export function accountWithWebhooks(): { users: JsonObject[] } {
	const [user = {}] = account().users;
	const [one, two, ...others] = user['assistants'] as JsonObject[];
	const webhook_url = `https://crm.example/calls?key=${SECRET_PART}`;
	const inbound_webhook_url = "https://crm.example/it's-inbound";
	const assistants = [
		{ ...one, webhook_url, is_webhook_active: true, inbound_webhook_url },
		{ ...two, webhook_url },
		...others,
	];
	return { users: [{ ...user, assistants }] };
}

/** A provider whose account has webhooks, its records, and how they are read. */
export async function startChangeable(options: SandboxOptions = {}) {
	const provider = await startProvider({ seed: accountWithWebhooks(), ...options });
	return { ...provider, client: serviceClient(provider.url, TOKEN) };
}

/** Changes both webhooks of assistant 1 as an interrupted run does. @returns what it had written down */
export async function leaveWebhooks({ client }: { client: ServiceClient }): Promise<Undo[]> {
	const [one] = await assistants(client);
	const { webhook_url, is_webhook_active, inbound_webhook_url } = one as {
		webhook_url: string;
		is_webhook_active: boolean;
		inbound_webhook_url: string;
	};
	const set = 'https://verify.invalid/verify-0123456789abcdef';
	await client.put('/user/assistant/1', { webhook_url: set });
	const inbound = { assistant_id: 1, webhook_url: set };
	await client.post('/user/assistants/enable-inbound-webhook', inbound);
	const assistant = { id: 1, listPath: '/user/assistants/get', perPage: 100, page: 1 };
	return [
		{ kind: 'webhook', assistant, before: { webhook_url, is_webhook_active }, set: [set] },
		{ kind: 'inbound webhook', assistant, before: inbound_webhook_url, set: [set] },
	];
}

/** What a user tells verify, in place of a terminal. */
export interface Told extends Questions {
	/** The lines that were printed. */
	lines: string[];
	questions: string[];
}

/** @param answer to every question */
export function answering(answer = true): Told {
	const lines: string[] = [];
	const questions: string[] = [];
	return {
		lines,
		questions,
		confirm(question) {
			questions.push(question);
			return Promise.resolve(answer);
		},
		tell: (line) => void lines.push(line),
	};
}

type Options = Partial<Verification> & { baseUrl: string; folder: string };

/** Runs the level `reversible` at assistant 1 and campaign 1. */
export const verifyReversible = ({ baseUrl, target, ...options }: Options) =>
	verifyAccount({
		token: TOKEN,
		levels: ['reversible'],
		pause: 0,
		signal: new AbortController().signal,
		questions: answering(),
		target: { assistantId: 1, campaignId: 1, ...target, baseUrl },
		...options,
	});

/** The assistants as the service lists them, without the time of their last change. */
export async function assistants(
	client: ServiceClient,
	path = '/user/assistants/get',
): Promise<JsonObject[]> {
	const page = await client.request('GET', path, { ignoreContract: true });
	return getRows(page).map((row) => ({ ...asObject(row, 'an assistant'), updated_at: undefined }));
}

/** Where a provider with these values lists its assistants. */
export function assistantPath({ 'list-assistants-path': path }: JsonObject): string {
	return typeof path === 'string' ? path : '/user/assistants/get';
}

/** The files in which changes are written down. */
export const undoFiles = async (folder: string): Promise<string[]> =>
	(await readdir(folder)).filter((name) => name.endsWith('.json'));
