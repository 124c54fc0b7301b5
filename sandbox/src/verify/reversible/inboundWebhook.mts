import { AssistantReader, inboundWebhookOf } from '../assistantRecord.mts';
import { asAssumed, differs, type Check } from '../check.mts';
import { namedAssistant } from '../namedAssistant.mts';
import { isAccepted, requireAccepted, requireNotTestUrl, requireOurs } from '../outcome.mts';
import { testUrl } from '../randomPart.mts';
import { restoring } from '../restoring.mts';
import { observation, type Run } from '../run.mts';
import { isOurs, isRestored, type Undo } from '../undo.mts';
import { requireConsent } from './consent.mts';

/** What became of the inbound webhook in each step. */
interface InboundWebhookSteps {
	/** Whether the assistant makes calls. */
	makesCalls: boolean;
	/** The status of the first answer. */
	status: number;
	/** Whether the record showed it after it was set, set again, and removed. */
	isSet: boolean;
	isReplaced: boolean;
	isRemoved: boolean;
	/** Whether removing it again was accepted. */
	isRemovedAgain: boolean;
}

/** Enables and disables the inbound webhook of the named assistant, and restores it. */
export const inboundWebhookSteps = observation(async (run): Promise<InboundWebhookSteps> => {
	await requireConsent(run);
	return restoring(run, () => changeInboundWebhook(run));
});

async function changeInboundWebhook(run: Run): Promise<InboundWebhookSteps> {
	const { client, undoLog } = run;
	const assistant = await namedAssistant(run);
	const reader = new AssistantReader(client, assistant);
	const record = await reader.read();
	const before = inboundWebhookOf(record);
	requireNotTestUrl(before);
	let undo: Extract<Undo, { kind: 'inbound webhook' }> = {
		kind: 'inbound webhook',
		assistant,
		before,
		set: [],
	};

	async function post(url: string | null) {
		undo = { ...undo, set: [...undo.set, url] };
		await undoLog.add(undo);
		const body = { assistant_id: assistant.id };
		if (url === null) return client.write('POST', '/user/assistants/disable-inbound-webhook', body);
		const path = '/user/assistants/enable-inbound-webhook';
		return client.write('POST', path, { ...body, webhook_url: url });
	}
	/** Whether the record then shows it. */
	async function isShown(url: string | null): Promise<boolean> {
		const present = await reader.read();
		if (isOurs({ ...undo, set: [url] }, present)) return true;
		if (!isRestored(undo, present)) requireOurs(undo, present);
		return false;
	}

	const [first, second] = [testUrl(), testUrl()];
	const makesCalls = record['type'] === 'outbound';
	const enabled = await post(first);
	if (!isAccepted(enabled) && !makesCalls) requireAccepted(enabled, 'an inbound webhook');
	if (!isAccepted(enabled)) {
		const not = { isSet: false, isReplaced: false, isRemoved: false, isRemovedAgain: false };
		return { makesCalls, status: enabled.status, ...not };
	}
	const isSet = await isShown(first);
	requireAccepted(await post(second), 'another inbound webhook');
	const isReplaced = await isShown(second);
	requireAccepted(await post(null), 'to disable the inbound webhook');
	const isRemoved = await isShown(null);
	const isRemovedAgain = isAccepted(await post(null));
	return { makesCalls, status: enabled.status, isSet, isReplaced, isRemoved, isRemovedAgain };
}

const inboundWebhookAnyAssistant: Check = {
	key: 'inbound-webhook-any-assistant',
	level: 'reversible',
	async run(run) {
		const steps = await inboundWebhookSteps(run);
		const expected =
			'an assistant that makes calls can have one; setting it again replaces it, removing it again is accepted';
		if (!isAccepted(steps)) return differs(expected, `status ${steps.status}`);
		const seen = [
			...(steps.isSet ? [] : ['the record does not show it']),
			...(steps.isReplaced ? [] : ['setting it again does not replace it']),
			...(steps.isRemoved ? [] : ['removing it has no effect']),
			...(steps.isRemovedAgain ? [] : ['removing it again is refused']),
		];
		if (seen.length > 0) return differs(expected, seen.join('; '));
		if (steps.makesCalls) return asAssumed(expected);
		return asAssumed(expected, 'so it is for an assistant that receives calls', 'a hint');
	},
};

export const INBOUND_WEBHOOK_CHECKS = [inboundWebhookAnyAssistant];
