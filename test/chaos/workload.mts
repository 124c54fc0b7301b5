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
		const isThere = await isRegistered(name);
		publishes.push({ text, refusal, isRegistered: isThere });
		if (refusal !== undefined || isThere) return;
		const last = (await service.control.requests()).slice(-40);
		console.log(
			`  ${text}: not registered. The last requests before, which may tell why:`,
			last.map(({ at, operation, status }) => [at, operation, status].join(' ')),
		);
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
	const leadList = async (): Promise<void> => {
		const length = random.integer(1, LIST_LENGTH);
		const again = random.next() < 0.3 ? lists.at(-1) : undefined;
		const list = again ?? Array.from({ length }, () => ({ phone: nextPhone() }));
		if (!again) lists.push(list);
		await post('leads', list);
	};
	/** Sends texts, each one another. */
	const textList = async (): Promise<void> => {
		const rows = Array.from({ length: LIST_LENGTH }, (_, index) => {
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
		/** @param pause milliseconds, on average */
		const every = async (pause: number, each: () => unknown): Promise<void> => {
			for (;;) {
				const wait = random.integer(pause / 2, pause * 1.5);
				await delay(Math.max(0, Math.min(wait, end - Date.now())));
				if (Date.now() >= end) return;
				if (!environment.isUp()) continue;
				try {
					await each();
				} catch (error) {
					// n8n was just killed, or is too busy.
					console.log(`  Not done: ${errorMessage(error).slice(0, 80)}`);
				}
			}
		};
		let kills = 0;
		for (const proxy of [requests, deliveries]) proxy.setBad(true);
		// As often as two free cores can do it.
		await Promise.all([
			every(8_000, leadList),
			every(8_000, textList),
			every(12_000, retry),
			every(3_000, call),
			every(4_000, toolCall),
			...TOGGLED.map((name) => every(1_500, () => toggle(name))),
			every(30_000, () => random.pick([requests, deliveries]).partition()),
			every(70_000, async () => {
				await environment.restartAfter(SIGNALS[kills++ % 2] ?? 'SIGKILL');
			}),
		]);
		for (const proxy of [requests, deliveries]) proxy.setBad(false);
	}

	/** In a good network, takes over and puts back what another system has. */
	async function settle(): Promise<void> {
		for (const name of TOGGLED) await publish(name);
		await unpublish('taken');
	}

	return { publishes, published, isRegistered, run, settle };
}
