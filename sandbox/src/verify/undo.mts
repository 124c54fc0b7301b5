import * as z from 'zod';

import { inboundWebhookOf, toolIdsOf, webhookOf } from './assistantRecord.mts';
import type { Row } from './read/page.mts';

const count = z.number().int().positive();
const id = count;
const url = z.string().nullable();
const assistant = z.object({ id, listPath: z.string(), perPage: count, page: count });

/** A change, with what is needed to take it back. Nothing of it is secret but the URLs of webhooks. */
export const undoFormat = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('webhook'),
		assistant,
		before: z.object({ webhook_url: url, is_webhook_active: z.boolean() }),
		/** The URLs that the assistant may have because of this program. */
		set: z.array(url),
	}),
	z.object({ kind: z.literal('inbound webhook'), assistant, before: url, set: z.array(url) }),
	z.object({ kind: z.literal('attached tool'), assistant, before: z.array(id), toolId: id }),
	z.object({ kind: z.literal('started campaign'), campaignId: id }),
	z.object({ kind: z.literal('waiting lead'), leadId: id }),
	/** A record that remains, because no request deletes it. */
	z.object({ kind: z.literal('creation'), what: z.string() }),
]);

export type Undo = z.output<typeof undoFormat>;
/** A change that a request takes back. */
export type Change = Exclude<Undo, { kind: 'creation' }>;
export const isChange = (undo: Undo): undo is Change => undo.kind !== 'creation';
/** A change of an assistant, which shows whether it is still there. */
export type AssistantUndo = Extract<Undo, { assistant: unknown }>;

/** A request that takes a change back. */
export interface UndoRequest {
	method: 'POST' | 'PUT';
	/** Below the base URL. */
	path: string;
	body: object;
}

/** What was changed, in words. */
export function describeUndo(undo: Undo): string {
	switch (undo.kind) {
		case 'webhook':
		case 'inbound webhook':
			return `the ${undo.kind} of assistant ${undo.assistant.id}`;
		case 'attached tool':
			return `the tools of assistant ${undo.assistant.id}`;
		case 'started campaign':
			return `campaign ${undo.campaignId}`;
		case 'waiting lead':
			return `lead ${undo.leadId}`;
		case 'creation':
			return undo.what;
	}
}

const VERBS = {
	webhook: { todo: 'restore', done: 'Restored' },
	'inbound webhook': { todo: 'restore', done: 'Restored' },
	'attached tool': { todo: 'restore', done: 'Restored' },
	'started campaign': { todo: 'stop', done: 'Stopped' },
	'waiting lead': { todo: 'complete', done: 'Completed' },
} as const;

/** Taking it back, in words: what is to do, and that it is done. */
export const undoVerbs = ({ kind }: Change) => VERBS[kind];

/** Whether two changes are of the same thing. */
export const isSameThing = (one: Undo, other: Undo): boolean =>
	one.kind === other.kind && describeUndo(one) === describeUndo(other);

/**
 * The request that takes a change back.
 *
 * @param toolIds the tools that the assistant has now, if that is known
 */
export function undoRequest(undo: Change, toolIds?: number[]): UndoRequest {
	switch (undo.kind) {
		case 'webhook':
			return { method: 'PUT', path: `/user/assistant/${undo.assistant.id}`, body: undo.before };
		case 'inbound webhook': {
			const body = { assistant_id: undo.assistant.id };
			const path = '/user/assistants/disable-inbound-webhook';
			if (undo.before === null) return { method: 'POST', path, body };
			return {
				method: 'POST',
				path: '/user/assistants/enable-inbound-webhook',
				body: { ...body, webhook_url: undo.before },
			};
		}
		case 'attached tool': {
			const tool_ids = (toolIds ?? undo.before).filter((each) => each !== undo.toolId);
			return { method: 'PUT', path: `/user/assistant/${undo.assistant.id}`, body: { tool_ids } };
		}
		case 'started campaign': {
			const body = { campaign_id: undo.campaignId, action: 'stop' };
			return { method: 'POST', path: '/user/campaigns/update-status', body };
		}
		case 'waiting lead':
			return { method: 'PUT', path: `/user/leads/${undo.leadId}`, body: { status: 'completed' } };
	}
}

/** Whether an assistant is as it was before. */
export function isRestored(undo: AssistantUndo, record: Row): boolean {
	switch (undo.kind) {
		case 'webhook': {
			const { webhook_url, is_webhook_active } = webhookOf(record);
			const { before } = undo;
			return webhook_url === before.webhook_url && is_webhook_active === before.is_webhook_active;
		}
		case 'inbound webhook':
			return inboundWebhookOf(record) === undo.before;
		case 'attached tool':
			return !toolIdsOf(record).includes(undo.toolId);
	}
}

/** Whether an assistant still has what this program has set; otherwise somebody else has changed it. */
export function isOurs(undo: AssistantUndo, record: Row): boolean {
	switch (undo.kind) {
		case 'webhook': {
			const { webhook_url: present } = webhookOf(record);
			return undo.set.some((each) => isSameUrl(each, present));
		}
		case 'inbound webhook': {
			const present = inboundWebhookOf(record);
			return undo.set.some((each) => isSameUrl(each, present));
		}
		case 'attached tool':
			return toolIdsOf(record).includes(undo.toolId);
	}
}

/** The service may write a URL in another way. Its path has a random part, so it is enough. */
function isSameUrl(ours: string | null, present: string | null): boolean {
	if (ours === null || present === null) return ours === present;
	return URL.canParse(present) && pathOf(present) === pathOf(ours);
}

const pathOf = (text: string): string => new URL(text).pathname.replace(/\/+$/, '');
