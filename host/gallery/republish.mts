import * as z from 'zod';

import type { Editor } from '../api/editor.mts';
import type { CredentialRef } from '../api/workflow.mts';
import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../n8n/names.mts';
import type { Account } from '../n8n/provision.mts';
import { warnOnFailure } from '../process/warnOnFailure.mts';

const RESPONSE_LIMIT_MS = 10_000;

const assistantPage = z.object({
	data: z.array(
		z.object({
			webhook_url: z.string().nullish(),
			inbound_webhook_url: z.string().nullish(),
			tools: z.array(z.object({ endpoint: z.string() })),
		}),
	),
});

/**
 * Publishes again what the sandbox no longer knows at this address: n8n listens on another port than
 * before, or the data of the sandbox was deleted. Everything else stays as it is.
 *
 * @param n8n base URL of n8n
 * @param credential of the sandbox: workflows with another account are not touched
 * @returns what did not work, for the user
 */
export async function republish(
	editor: Editor,
	n8n: string,
	sandbox: Account,
	credential: CredentialRef,
): Promise<string[]> {
	const warnings: string[] = [];
	const event = 'Published workflows were not compared with the sandbox';
	const advice = 'If a call starts no workflow, unpublish and publish the workflow.';
	await warnOnFailure(warnings, event, advice, async () => {
		const registered = (await registeredUrls(sandbox)).filter((url) => url.startsWith(`${n8n}/`));
		for (const { id, name, active } of await editor.workflows()) {
			// The path of a trigger names its workflow: docs/decisions/0005.
			if (!active || registered.some((url) => url.includes(id))) continue;
			if (!(await hasTriggerWith(editor, id, credential))) continue;
			const failure = `"${name}" was not published again`;
			const publish = () => editor.republish(id);
			await warnOnFailure(warnings, failure, 'Publish it yourself.', publish);
		}
	});
	return warnings;
}

async function hasTriggerWith(
	editor: Editor,
	id: string,
	account: CredentialRef,
): Promise<boolean> {
	const { nodes } = await editor.workflow(id);
	return nodes.some(
		({ type, credentials }) =>
			(type === TRIGGER || type === MID_CALL_TOOL_TRIGGER) &&
			credentials?.[account.type]?.id === account.id,
	);
}

/** The URLs to which the sandbox sends what happens in calls. */
async function registeredUrls({ url, token, listPaths }: Account): Promise<string[]> {
	const path = listPaths?.assistantListPath ?? '/user/assistants/get';
	const urls: string[] = [];
	// Up to an empty page, because not every provider says which page is the last one.
	for (let page = 1; ; page += 1) {
		const response = await fetch(`${url}${path}?per_page=100&page=${page}`, {
			headers: { authorization: `Bearer ${token}` },
			signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
		});
		const isBeyond = page > 1 && response.status === 404;
		if (!response.ok && !isBeyond) {
			throw new Error(`The sandbox answered with status ${response.status}.`);
		}
		const { data } = isBeyond ? { data: [] } : assistantPage.parse(await response.json());
		if (data.length === 0) return urls;
		for (const { webhook_url, inbound_webhook_url, tools } of data) {
			const endpoints = tools.map(({ endpoint }) => endpoint);
			urls.push(...[webhook_url, inbound_webhook_url, ...endpoints].filter((each) => each != null));
		}
	}
}
