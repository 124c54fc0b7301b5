import { AssistantReader, webhookOf, type Webhook } from '../assistantRecord.mts';
import { asAssumed, differs, notChecked, type Check } from '../check.mts';
import type { Response } from '../client.mts';
import { errorFields } from '../describe.mts';
import { namedAssistant } from '../namedAssistant.mts';
import { isAccepted, requireAccepted, requireNotTestUrl, requireOurs } from '../outcome.mts';
import { testPath } from '../randomPart.mts';
import { restoring } from '../restoring.mts';
import { observation, type Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import type { Undo } from '../undo.mts';
import { requireConsent } from './consent.mts';

/** What became of the webhook in each step. */
interface WebhookSteps {
	sentUrl: string;
	afterUrl: Webhook;
	afterInactive: Webhook;
	/** After the URL was removed from an active webhook. */
	afterNull: Webhook;
	/** The answer to activating it without a URL. */
	withoutUrl: Response;
	/** After a URL alone was set; undefined when the webhook was active before. */
	afterUrlAlone: Webhook | undefined;
}

/** Written as services may store it in another way: with capitals and the default port. */
const unusualUrl = (): string => `https://Verify.Invalid:443/${testPath()}`;

const webhookSteps = observation(async (run): Promise<WebhookSteps> => {
	await requireConsent(run);
	return restoring(run, () => changeWebhook(run));
});

async function changeWebhook(run: Run): Promise<WebhookSteps> {
	const { client, undoLog } = run;
	const assistant = await namedAssistant(run);
	const reader = new AssistantReader(client, assistant);
	const before = webhookOf(await reader.read());
	requireNotTestUrl(before.webhook_url);
	if (before.is_webhook_active && before.webhook_url === null) {
		throw new CannotCheck('The webhook is active without a URL, and could not be restored.');
	}
	let undo: Extract<Undo, { kind: 'webhook' }> = { kind: 'webhook', assistant, before, set: [] };

	async function put(fields: Partial<Webhook>): Promise<Response> {
		const { webhook_url: url, is_webhook_active: isActive } = fields;
		if (url !== undefined) undo = { ...undo, set: [...undo.set, url] };
		// The service may remove the URL of an inactive webhook.
		if (isActive === false) undo = { ...undo, set: [...undo.set, null] };
		await undoLog.add(undo);
		return client.write('PUT', `/user/assistant/${assistant.id}`, fields);
	}
	async function change(fields: Partial<Webhook>): Promise<Webhook> {
		requireAccepted(await put(fields), 'a change of the webhook');
		const record = await reader.read();
		requireOurs(undo, record);
		return webhookOf(record);
	}

	const sentUrl = unusualUrl();
	const afterUrl = await change({ webhook_url: sentUrl, is_webhook_active: true });
	const afterInactive = await change({ is_webhook_active: false });
	await change({ webhook_url: sentUrl, is_webhook_active: true });
	const afterNull = await change({ webhook_url: null });
	const withoutUrl = await put({ is_webhook_active: true });
	const wasActive = isAccepted(withoutUrl) || afterNull.is_webhook_active;
	const afterUrlAlone = wasActive ? undefined : await change({ webhook_url: sentUrl });
	return { sentUrl, afterUrl, afterInactive, afterNull, withoutUrl, afterUrlAlone };
}

/** The value of the assumption; undefined for a form that the sandbox does not have. */
function urlForm(sent: string, stored: string | null): string | undefined {
	if (stored === sent) return 'kept';
	if (stored === new URL(sent).href) return 'normalised';
	return stored === `${sent}/` ? 'trailing-slash' : undefined;
}

const FORMS: { [form: string]: string } = {
	normalised: 'the host in lower case, without the default port',
	'trailing-slash': 'with a slash at the end',
};

const webhookUrlForm: Check = {
	key: 'webhook-url-form',
	level: 'reversible',
	async run(run) {
		const { sentUrl, afterUrl } = await webhookSteps(run);
		const expected = 'a webhook URL is stored as it was written';
		const form = urlForm(sentUrl, afterUrl.webhook_url);
		if (form === 'kept') return asAssumed(expected);
		const advice = 'The trigger node finds its URL in each of these forms. There is nothing to do.';
		if (form === undefined) return differs(expected, 'stored in another form');
		return differs(expected, FORMS[form] ?? form, { value: form, advice });
	},
};

const webhookInactiveKeepsUrl: Check = {
	key: 'webhook-inactive-keeps-url',
	level: 'reversible',
	async run(run) {
		const { afterInactive, afterNull, afterUrlAlone } = await webhookSteps(run);
		const expected =
			'an inactive webhook keeps its URL, without URL it is inactive, a URL alone does not activate it';
		const isCleared = afterInactive.webhook_url === null;
		const seen = [
			...(isCleared ? ['an inactive webhook loses its URL'] : []),
			...(afterInactive.is_webhook_active ? ['it stays active'] : []),
			...(afterNull.is_webhook_active ? ['without URL it stays active'] : []),
			...(afterUrlAlone?.is_webhook_active ? ['a URL alone activates it'] : []),
		];
		if (seen.length === 0) return asAssumed(expected);
		return differs(expected, seen.join('; '), {
			...(isCleared && seen.length === 1 && { value: 'cleared' }),
		});
	},
};

const webhookWithoutUrl: Check = {
	key: 'webhook-without-url',
	level: 'reversible',
	async run(run) {
		const { withoutUrl, afterNull } = await webhookSteps(run);
		const expected = 'a validation error that names `webhook_url`';
		if (afterNull.webhook_url !== null)
			return notChecked(expected, 'The URL could not be removed.');
		if (errorFields(withoutUrl.body)?.includes('webhook_url')) return asAssumed(expected);
		if (isAccepted(withoutUrl)) return differs(expected, 'it is accepted');
		return differs(expected, `status ${withoutUrl.status} without this field`);
	},
};

export const WEBHOOK_CHECKS = [webhookUrlForm, webhookInactiveKeepsUrl, webhookWithoutUrl];
