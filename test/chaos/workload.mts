import { setTimeout as delay } from 'node:timers/promises';

import { N8nError } from '../../host/api/rest.mts';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { getObjects } from '../../sandbox/test/support/contract.mts';
import { storedStates } from '../support/storedExecutions.mts';
import { TOKEN, type ChaosEnvironment } from './environment.mts';
import { ASSISTANTS, BLOCKED } from './workflows.mts';

const LIST_LENGTH = 40;
/** Every so many rows of a list of texts, one is somebody who must not be reached. */
const BLOCKED_EVERY = 10;
/** Milliseconds between two of a kind: what two free cores can do. */
const PAUSES = { list: 8_000, call: 3_000, toolCall: 4_000, publish: 1_500, retry: 12_000 };
const KILL_MS = [45_000, 90_000] as const;
const PARTITION_MS = [15_000, 40_000] as const;
const SOMEBODY = '+4915112345690';
const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;

/** The workflows that are published and unpublished all the time. */
const TOGGLED = ['free', 'taken', 'toolHolder'] as const;
type Toggled = (typeof TOGGLED)[number];

export type Workload = ReturnType<typeof createWorkload>;

/** What people, the service and other systems do, and what was asked of n8n. */
export function createWorkload(environment: ChaosEnvironment) {
	const { random, editor, service, workflows, requests, deliveries } = environment;
	/** What came of each publish; without a refusal, n8n calls it done. */
	const publishes: Array<{ text: string; refusal: string | undefined; isRegistered: boolean }> = [];
	/** Those that n8n calls published. */
	const published = new Set<Toggled>();
	/** Why work could not be begun, and how often: n8n does not run, or is too busy. */
	const notBegun = new Map<string, number>();
	const lists: object[][] = [];
	let people = 0;

	/** Whether the service sends the events of a workflow to it. */
	const isRegistered = async (name: Toggled): Promise<boolean> => {
		const record = await assistantRecord(service.as(TOKEN), ASSISTANTS[name]);
		const tools = getObjects(record.tools).map(({ endpoint }) => endpoint);
		const webhooks = record.is_webhook_active ? [record.webhook_url] : [];
		return [...tools, ...webhooks]
			.map(String)
			.some((url) => url.startsWith(deliveries.url) && url.includes(workflows[name]));
	};
	const publish = async (name: Toggled): Promise<void> => {
		published.delete(name);
		const refusal = await editor.publish(workflows[name]).then(
			() => undefined,
			(error: unknown) => {
				if (error instanceof N8nError) return error.n8nMessage;
				throw error;
			},
		);
		if (refusal === undefined) published.add(name);
		const text = `${name} at ${new Date().toISOString()}`;
		publishes.push({ text, refusal, isRegistered: await isRegistered(name) });
	};
	const unpublish = async (name: Toggled): Promise<void> => {
		published.delete(name);
		await editor.unpublish(workflows[name]);
	};
	const toggle = async (name: Toggled) =>
		await (published.has(name) && random.next() < 0.6 ? unpublish : publish)(name);

	const post = async (path: string, list: object[]): Promise<void> => {
		const headers = { 'content-type': 'application/json' };
		const init = { method: 'POST', headers, body: JSON.stringify(list) };
		const { ok, status } = await fetch(`${environment.url}/webhook/${path}`, init);
		if (!ok) throw new Error(`The list was answered with ${status}.`);
	};
	const nextPhone = () => `+491512${String(people++).padStart(7, '0')}`;
	/** Adds leads, also those of the list before. A short list comes to its end. */
	const leadList = async (length = random.integer(1, LIST_LENGTH)): Promise<void> => {
		const again = random.next() < 0.3 ? lists.at(-1) : undefined;
		const list = again ?? Array.from({ length }, () => ({ phone: nextPhone() }));
		if (!again) lists.push(list);
		await post('leads', list);
	};
	/** Sends texts, each one another. */
	const textList = async (length = LIST_LENGTH): Promise<void> => {
		const rows = Array.from({ length }, (_, index) => {
			const isBlocked = index % BLOCKED_EVERY === BLOCKED_EVERY - 1;
			const own = nextPhone();
			return { phone: isBlocked ? random.pick(BLOCKED) : own, text: `For ${own}` };
		});
		await post('texts', rows);
	};
	const retry = async (): Promise<void> => {
		const states = [...storedStates(environment.userFolder, workflows.leads)];
		const failed = states.filter(([, state]) => state === 'error').map(([id]) => id);
		if (failed.length > 0) await editor.retry(random.pick(failed));
	};
	const { outbound } = service.control;
	const call = async () =>
		await outbound({
			...{ assistant_id: ASSISTANTS.calls, to: SOMEBODY },
			...(random.next() < 0.2 && { scenario: 'no-answer' }),
		});
	/** An assistant uses its tool in a call. */
	const toolCall = async () =>
		await outbound({ assistant_id: ASSISTANTS.tool, to: SOMEBODY, tool: { name: 'look_up' } });

	/** Lets all of it happen, while everything between n8n and the service goes wrong, and n8n is killed. */
	async function run(ms: number): Promise<void> {
		const end = Date.now() + ms;
		const again = async (pause: () => number, each: () => unknown): Promise<void> => {
			for (;;) {
				await delay(Math.max(0, Math.min(pause(), end - Date.now())));
				if (Date.now() >= end) return;
				await each();
			}
		};
		/** It is not done while n8n does not run. */
		const every = async (pause: number, each: () => Promise<unknown>) =>
			await again(
				() => pause,
				async () => {
					if (!environment.isUp()) return;
					await each().catch((error: unknown) => {
						const text = errorMessage(error).slice(0, 80);
						notBegun.set(text, (notBegun.get(text) ?? 0) + 1);
					});
				},
			);
		let kills = 0;
		for (const proxy of [requests, deliveries]) proxy.setBad(true);
		await Promise.all([
			every(PAUSES.list, () => leadList()),
			every(PAUSES.list, () => textList()),
			every(PAUSES.retry, retry),
			every(PAUSES.call, call),
			every(PAUSES.toolCall, toolCall),
			...TOGGLED.map((name) => every(PAUSES.publish, () => toggle(name))),
			again(
				() => random.integer(...PARTITION_MS),
				() => random.pick([requests, deliveries]).partition(),
			),
			again(
				() => random.integer(...KILL_MS),
				() => environment.restartAfter(SIGNALS[kills++ % 2] ?? 'SIGKILL'),
			),
		]);
		for (const proxy of [requests, deliveries]) proxy.setBad(false);
	}

	/** In a good network: takes over and puts back what another system has, and begins one of each kind. */
	async function settle(): Promise<void> {
		for (const name of TOGGLED) await publish(name);
		await unpublish('taken');
		requests.refuseNext();
		await textList(1);
		await toolCall();
	}

	return { publishes, published, notBegun, isRegistered, run, settle };
}
