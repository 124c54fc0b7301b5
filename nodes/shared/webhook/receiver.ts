import type { IDataObject } from 'n8n-workflow';

import { getToken } from './token';

/** Ends with the ids of webhook, workflow and node (docs/decisions/0005). */
const PATH = /\/(webhook|webhook-test)\/[^/]+\/([^/]+)\/([^/]+)$/;

/** A node without a webhook id has workflow id and node name in its place (docs/decisions/0005). */
const PATH_WITHOUT_WEBHOOK_ID = /\/(webhook|webhook-test)\/([^/]+)\/[^/]+\/\2\/([^/]+)$/;

const TOKEN = /^[0-9a-f]{64}$/;

const HIDDEN = '***';

const nobody = { receiver: 'nobody', host: null, url: null, workflow_id: null, node_id: null };

/** Whether an assistant's webhook takes calls, if it has a URL. A record that does not say so counts as yes. */
export const isWebhookActive = (assistant: IDataObject): boolean =>
	(assistant.is_webhook_active ?? true) === true;

/**
 * Tells who receives what is sent to a registered URL: a trigger of this package, on this n8n or another
 * one, or another system.
 *
 * @param url registered at the service; empty when there is none
 * @param token that is sent to the URL; a tool sends it in a header
 * @returns the URL without its token. Of another system's URL only the host, because any part of it can be
 * secret
 */
export function describeReceiver(url: string, token = getToken(url)): IDataObject {
	if (url === '') return nobody;
	if (!URL.canParse(url)) return { ...nobody, receiver: 'other', url: HIDDEN };
	const { origin, host, pathname } = new URL(url);
	// A service may add a slash (assumed: webhook-url-form).
	const path = pathname.replace(/\/$/, '');
	const match = PATH.exec(path) ?? PATH_WITHOUT_WEBHOOK_ID.exec(path);
	const [, kind, workflowId, nodeId] = match ?? [];
	if (kind === undefined || !TOKEN.test(token)) {
		return { ...nobody, receiver: 'other', host, url: `${origin}/${HIDDEN}` };
	}
	return {
		receiver: kind === 'webhook' ? 'trigger' : 'test',
		host,
		url: `${origin}${path}${getToken(url) && `?token=${HIDDEN}`}`,
		workflow_id: workflowId ?? null,
		node_id: nodeId ?? null,
	};
}
