import type { IDataObject } from 'n8n-workflow';

import { getToken, isToken } from './token';

/** Ends with the ids of webhook, workflow and node (docs/decisions/0005). */
const PATH = /\/(webhook|webhook-test)\/[^/]+\/([^/]+)\/([^/]+)$/;

/** A node without a webhook id has workflow id and node name in its place (docs/decisions/0005). */
const PATH_WITHOUT_WEBHOOK_ID = /\/(webhook|webhook-test)\/([^/]+)\/[^/]+\/\2\/([^/]+)$/;

const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';

/** The ids that n8n's editor gives show a trigger below any path of n8n. */
const PATH_OF_UUIDS = new RegExp(`/([^/]+)/${UUID}/([^/]+)/(${UUID})$`, 'i');

/** In the path of the webhook that answers the question before a call, in front of both ids. */
const ASKED = /\/starting(?=\/[^/]+\/[^/]+$)/;

/** Whether a URL is that of a trigger with *Inbound Call Starting*. */
export const isAsked = (url: string): boolean => ASKED.test(new URL(url).pathname);

/** The path of a URL without what tells the event of a trigger. */
export const withoutEvent = (url: string): string => new URL(url).pathname.replace(ASKED, '');

const HIDDEN = '***';

const nobody = { receiver: 'nobody', host: null, url: null, workflow_id: null, node_id: null };

/**
 * A webhook URL of a record. Null is no URL (contract: Assistant record).
 *
 * @returns empty for none; undefined when the field is missing or has another form, which says nothing
 */
export function shownUrl(value: unknown): string | undefined {
	if (value === null) return '';
	return typeof value === 'string' ? value : undefined;
}

/**
 * The URL of completed calls, see {@link shownUrl}. A webhook that is off may have none in the record. One that
 * is on has a URL, so an empty one is hidden.
 */
export function postCallUrl(assistant: IDataObject): string | undefined {
	const url = shownUrl(assistant.webhook_url);
	if (url) return url;
	if (!isWebhookActive(assistant)) return '';
	return (assistant.is_webhook_active ?? undefined) === undefined ? url : undefined;
}

/** Whether an assistant's webhook takes calls, if it has a URL. A record that does not say no counts as yes. */
export const isWebhookActive = ({ is_webhook_active: isActive }: IDataObject): boolean =>
	isActive !== false;

/** The service does not show who receives the calls. */
const unknown = { ...nobody, receiver: 'unknown' };

/**
 * Tells who receives what is sent to a registered URL: a trigger of this package, on this n8n or another
 * one, or another system.
 *
 * @param url registered at the service; empty when there is none, undefined when the service does not show it
 * @param token that is sent to the URL; a tool sends it in a header
 * @returns the URL without its token. Of another system's URL only the host, because any part of it can be
 * secret
 */
export function readReceiver(url: string | undefined, token = getToken(url ?? '')): IDataObject {
	if (url === undefined) return unknown;
	if (url === '') return nobody;
	if (!URL.canParse(url)) return { ...nobody, receiver: 'other', url: HIDDEN };
	const { origin, host, pathname } = new URL(url);
	const patterns = isToken(token) ? [PATH, PATH_WITHOUT_WEBHOOK_ID, PATH_OF_UUIDS] : [];
	const path = withoutEvent(url);
	const pattern = patterns.find((each) => each.test(path));
	const [, kind, workflowId, nodeId] = pattern?.exec(path) ?? [];
	if (kind === undefined) {
		return { ...nobody, receiver: 'other', host, url: `${origin}/${HIDDEN}` };
	}
	return {
		receiver: kind.endsWith('-test') ? 'test' : 'trigger',
		host,
		url: `${origin}${pathname}${getToken(url) && `?token=${HIDDEN}`}`,
		workflow_id: workflowId ?? null,
		node_id: nodeId ?? null,
	};
}
