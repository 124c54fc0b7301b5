import { AssistantReader, webhookOf } from '../assistantRecord.mts';
import { attachTool } from '../attachTool.mts';
import { createLead } from '../createLead.mts';
import { createTool } from '../createTool.mts';
import { namedAssistant } from '../namedAssistant.mts';
import { requireAccepted, requireNotTestUrl, requireOurs } from '../outcome.mts';
import { toolName } from '../randomPart.mts';
import type { Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import type { AssistantUndo } from '../undo.mts';
import type { CallTarget } from './consent.mts';
import type { Receiver } from './receiver.mts';
import { TOOL_HEADERS, TOOL_PARAMETER } from './testTool.mts';

/** Has the webhook of the assistant go to the receiver, and a tool too. Adds the lead. */
export async function prepareCall(
	run: Run,
	{ campaignId, phoneNumber }: CallTarget,
	receiver: Receiver,
): Promise<void> {
	const assistant = await namedAssistant(run);
	const reader = new AssistantReader(run.client, assistant);
	const tool = await createTool(run, {
		name: toolName(),
		description: 'Use this tool once, as soon as the customer says the word "test".',
		endpoint: receiver.toolUrl,
		method: 'POST',
		headers: TOOL_HEADERS,
		schema: [TOOL_PARAMETER],
	});
	await attachTool(run, assistant, reader, Number(tool['id']));

	const before = webhookOf(await reader.read());
	requireNotTestUrl(before.webhook_url);
	const undo: AssistantUndo = { kind: 'webhook', assistant, before, set: [receiver.webhookUrl] };
	await run.undoLog.add(undo);
	const webhook = { webhook_url: receiver.webhookUrl, is_webhook_active: true };
	const path = `/user/assistant/${assistant.id}`;
	requireAccepted(await run.client.write('PUT', path, webhook), 'the webhook URL');
	requireOurs(undo, await reader.read());

	// An earlier run may have left the same lead.
	const lead = { campaign_id: campaignId, phone_number: phoneNumber, allow_dupplicate: true };
	const { id, response } = await createLead(run, lead);
	if (id === undefined) throw new CannotCheck(`The service refused the lead (${response.status}).`);
}
