import { saveCredential } from '../../host/n8n/provision.mts';
import { Random } from '../../sandbox/src/base/random.mts';
import { newAssistant } from '../../sandbox/test/support/seed.mts';
import { startService } from '../../sandbox/test/support/service.mts';
import type { Checks } from '../support/checks.mts';
import { startTestN8n } from '../support/startTestN8n.mts';
import { startFaultyProxy } from './faultyProxy.mts';
import { ASSISTANTS, createWorkflows } from './workflows.mts';

export const TOKEN = 'chaos-token';
/** What another system has registered at one of them. */
export const OTHERS_URL = 'https://crm.example.com/calls?key=7f3a';
/** Calls last some seconds. */
const CALL_SPEED = 20;
/** After a start, n8n registers triggers and goes on with executions, and takes requests late. */
const BUSY_MS = 10_000;

const seed = () => {
	const assistants = Object.values(ASSISTANTS).map((id) => ({
		...{ ...newAssistant, id, phone_number_id: 1 },
		...(id === ASSISTANTS.taken && { is_webhook_active: true, webhook_url: OTHERS_URL }),
	}));
	const number = { id: 1, phone_number: '+4915112345601', sms_capable: true };
	const user = {
		...{ token: TOKEN, balance: 1_000_000, tool_quota: 1_000, assistants },
		voices: [{ id: newAssistant.voice_id, name: 'Anna' }],
		languages: [newAssistant.language],
		phone_numbers: [{ ...number, subscription_expires_at: null }],
		campaigns: [{ id: 1, name: 'Spring', assistant_id: ASSISTANTS.calls }],
	};
	return { users: [user] };
};

/** n8n, the service, the proxies between them, and the workflows. */
export type ChaosEnvironment = Awaited<ReturnType<typeof startEnvironment>>;

/** Starts n8n and the service, each behind a proxy that is faithful until it is told otherwise. */
export async function startEnvironment(checks: Checks, seedNumber: number) {
	const { cleanup } = checks;
	const requests = await startFaultyProxy(0, new Random(seedNumber + 1), cleanup);
	const deliveries = await startFaultyProxy(1, new Random(seedNumber + 2), cleanup);
	const service = await cleanup.use(
		startService({ seed: seed(), clock: 'real', callSpeed: CALL_SPEED }),
	);
	const { origin } = new URL(service.url);
	requests.setTarget(origin);
	// n8n 2.41 does not publish a workflow again that was in a publish when it was killed, for 120 s by default.
	const env = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '60' };
	const n8n = await startTestN8n(checks, {
		env: { ...env, WEBHOOK_URL: `${deliveries.url}/` },
	});
	deliveries.setTarget(n8n.url);
	const url = service.url.replace(origin, requests.url);
	const credential = await saveCredential(n8n.editor, 'Chaos', { url, token: TOKEN });
	const workflows = await createWorkflows(n8n.editor, credential);
	/** When n8n did not run: a request that it had then has no answer. */
	const pauses: Array<{ from: number; to: number }> = [];
	const isUp = () => pauses.at(-1)?.to !== Infinity;
	return {
		...{ ...n8n, service, requests, deliveries, workflows, pauses, isUp },
		random: new Random(seedNumber),
		/** Ends n8n in the middle of its work, and starts it again. */
		restartAfter: async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
			const pause = { from: Date.now(), to: Infinity };
			pauses.push(pause);
			await n8n.n8n()[signal === 'SIGKILL' ? 'kill' : 'stop']();
			await n8n.restart();
			pause.to = Date.now() + BUSY_MS;
		},
	};
}
