import type { CredentialRef } from '../../host/api/workflow.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { newAssistant } from '../../sandbox/test/support/seed.mts';
import { startService, type Service } from '../../sandbox/test/support/service.mts';
import type { Checks } from '../support/checks.mts';
import { startTopology } from './topology.mts';

const TOKEN = 'queue-token';
export const ASSISTANT = 1;
/** Uses a tool, so that no event of its calls is counted. */
export const TOOL_ASSISTANT = 2;
export const SMS_NUMBER = 1;

/** Longer than a response takes on a busy machine. */
const WEBHOOK_TIMEOUT = 'PT60S';
const START_LIMIT_MS = 10 * 60_000;

/** n8n in queue mode, and the service of its credential. */
export type QueueEnvironment = Awaited<ReturnType<typeof startTopology>> & {
	service: Service;
	client: ReturnType<Service['as']>;
	credential: CredentialRef;
};

/** Starts n8n in queue mode, and the service of its credential. */
export async function startQueueEnvironment(checks: Checks): Promise<QueueEnvironment> {
	const topology = await checks.require(
		'PostgreSQL, Redis, main, webhook process and two workers start',
		async () => await startTopology(checks),
		START_LIMIT_MS,
	);
	const number = {
		phone_number: '+4915112345601',
		sms_capable: true,
		subscription_expires_at: null,
	};
	const user = {
		token: TOKEN,
		balance: 1_000,
		voices: [{ id: newAssistant.voice_id, name: 'Anna' }],
		languages: [newAssistant.language],
		phone_numbers: [{ id: SMS_NUMBER, ...number }],
		assistants: [ASSISTANT, TOOL_ASSISTANT].map((id) => ({
			...newAssistant,
			id,
			phone_number_id: SMS_NUMBER,
		})),
	};
	const service = await checks.cleanup.use(
		startService({
			seed: { users: [user] },
			assume: { 'webhook-timeout': WEBHOOK_TIMEOUT },
			// A poll asks for the calls since its last one by n8n's clock.
			clock: { mode: 'manual', now: new Date().toISOString() },
		}),
	);
	const account = { url: service.url, token: TOKEN };
	const credential = await saveCredential(topology.editor, 'Queue', account);
	return { ...topology, service, client: service.as(TOKEN), credential };
}
