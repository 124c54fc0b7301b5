import * as z from 'zod';

import type { Editor } from '../api/editor.mts';
import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../n8n/names.mts';
import { warnOnFailure } from './openGallery.mts';

const RESPONSE_LIMIT_MS = 10_000;

const assistants = z.object({
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
 * @returns what did not work, for the user
 */
export async function republish(
	editor: Editor,
	n8n: string,
	sandbox: { url: string; token: string },
): Promise<string[]> {
	const registered = (await registeredUrls(sandbox)).filter((url) => url.startsWith(`${n8n}/`));
	const warnings: string[] = [];
	for (const { id, name, active } of await editor.workflows()) {
		// The path of a trigger names its workflow: docs/decisions/0005.
		if (!active || registered.some((url) => url.includes(id))) continue;
		const { nodes } = await editor.workflow(id);
		if (!nodes.some(({ type }) => type === TRIGGER || type === MID_CALL_TOOL_TRIGGER)) continue;
		await warnOnFailure(warnings, `Unpublish and publish "${name}" yourself.`, async () => {
			await editor.unpublish(id);
			await editor.publish(id);
		});
	}
	return warnings;
}

/** The URLs to which the sandbox sends what happens in calls. */
async function registeredUrls({ url, token }: { url: string; token: string }): Promise<string[]> {
	const response = await fetch(`${url}/user/assistants/get?per_page=100`, {
		headers: { authorization: `Bearer ${token}` },
		signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
	});
	const { data } = assistants.parse(await response.json());
	return data
		.flatMap((each) => [
			each.webhook_url,
			each.inbound_webhook_url,
			...each.tools.map(({ endpoint }) => endpoint),
		])
		.filter((found) => found != null);
}
