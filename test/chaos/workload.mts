import { setTimeout as delay } from 'node:timers/promises';

import { N8nError } from '../../host/api/rest.mts';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { getObjects } from '../../sandbox/test/support/contract.mts';
import { storedStates } from '../support/storedExecutions.mts';
import { ASSISTANTS } from './workflows.mts';
import { TOKEN, type ChaosEnvironment } from './environment.mts';

const LIST_LENGTH = 40;
/** Every so many rows of a list of texts, one is somebody who must not be reached. */
const BLOCKED_EVERY = 10;
/** E.164, as the service has it. */
export const BLOCKED = ['+4915120000007', '+4915120000017', '+4915120000027'];
/** Milliseconds between two of a kind. */
const PAUSES = { list: 8_000, call: 3_000, toolCall: 4_000, publish: 1_500, retry: 12_000 };
const KILL_MS = { from: 45_000, to: 90_000 };
const PARTITION_MS = { from: 15_000, to: 40_000 };
const SOMEBODY = '+4915112345690';

type Publishing = 'free' | 'taken' | 'toolHolder';

/** A publish that n8n calls done, or says why it is not. */
interface Publish {
	name: Publishing;
	/** undefined when n8n calls it done */
	refusal?: string | undefined;
	isRegistered: boolean;
	at: string;
}

/** What was asked of n8n, beside what the service and n8n store. */
export interface Asked {
	/** the texts for people who must not be reached */
	blockedTexts: number;
	publishes: Publish[];
	/** Those that n8n calls published. */
	published: Set<Publishing>;
	/** Why work could not be begun, and how often: n8n does not run, or is too busy. */
	notBegun: Map<string, number>;
}

export const phone = (prefix: number, index: number) => `+49151${prefix}${String(index).padStart(6, '0')}`;

/** Whether the service sends the events of a workflow to it. */
export async function isRegistered(
	environment: ChaosEnvironment,
	name: Publishing,
): Promise<boolean> {
	const record = await assistantRecord(environment.service.as(TOKEN), ASSISTANTS[name]);
	const tools = getObjects(record.tools).map(({ endpoint }) => endpoint);
	const urls = name === 'toolHolder' ? tools : record.is_webhook_active ? [record.webhook_url] : [];
	return urls.some(
		(url) =>
			String(url).startsWith(environment.deliveries.url) &&
			String(url).includes(environment.workflows[name]),
	);
}

/** Publishes a workflow, and notes what n8n says and what is so. */
export async function publish(
	environment: ChaosEnvironment,
	asked: Asked,
	name: Publishing,
): Promise<void> {
	const note = async (refusal?: string) => {
		if (refusal === undefined) asked.published.add(name);
		const at = new Date().toISOString();
		asked.publishes.push({
			name,
			refusal,
			at,
			isRegistered: await isRegistered(environment, name),
		});
	};
	asked.published.delete(name);
	try {
		const done = environment.editor.publish(environment.workflows[name]).then(() => true);
		if (await environment.unlessEnded(done)) await note();
	} catch (error) {
		if (!(error instanceof N8nError)) throw error;
		await note(error.n8nMessage);
	}
}

/** Unpublishes a workflow. @returns whether n8n did not end meanwhile */
export async function unpublish(
	environment: ChaosEnvironment,
	asked: Asked,
	name: Publishing,
): Promise<boolean> {
	asked.published.delete(name);
	const done = environment.editor.unpublish(environment.workflows[name]).then(() => true);
	return (await environment.unlessEnded(done)) === true;
}

/** Posts a list to a workflow. */
export async function post(environment: ChaosEnvironment, path: string, list: object[]): Promise<void> {
	const headers = { 'content-type': 'application/json' };
	const body = JSON.stringify(list);
	const response = await fetch(`${environment.url}/webhook/${path}`, {
		method: 'POST',
		headers,
		body,
	});
	if (!response.ok) throw new Error(`The list was answered with ${response.status}.`);
}

/** Lists of texts whose rows nobody else has. */
export function textLists(environment: ChaosEnvironment, asked: Asked, text = 'Text') {
	let count = 0;
	return async (length = LIST_LENGTH): Promise<void> => {
		const rows = Array.from({ length }, (_, index) => {
			count += 1;
			const isBlocked = index % BLOCKED_EVERY === BLOCKED_EVERY - 1;
			if (isBlocked) asked.blockedTexts += 1;
			const to = isBlocked ? environment.random.pick(BLOCKED) : phone(21, count);
			return { phone: to, text: `${text} ${count}` };
		});
		await post(environment, 'texts', rows);
	};
}

/**
 * Lets n8n and the service work, while everything between them goes wrong, and n8n is killed.
 *
 * @param rate 1 is what two free cores can do
 */
export async function work(
	environment: ChaosEnvironment,
	asked: Asked,
	ms: number,
	rate: number,
): Promise<void> {
	const { random, editor, service, workflows } = environment;
	const end = Date.now() + ms;
	const isOver = () => Date.now() > end;
	/** Does something again and again. It is not done while n8n does not run. */
	const every = async (pause: number, each: () => Promise<unknown>): Promise<void> => {
		while (!isOver()) {
			await delay(Math.min(pause / rate, Math.max(0, end - Date.now())));
			if (!environment.isUp || isOver()) continue;
			await each().catch((error: unknown) => {
				const text = errorMessage(error).slice(0, 80);
				asked.notBegun.set(text, (asked.notBegun.get(text) ?? 0) + 1);
			});
		}
	};
	let people = 0;
	const lists: object[][] = [];
	const leadList = async (): Promise<void> => {
		const again = random.next() < 0.3 ? lists.at(-1) : undefined;
		const list =
			again ?? Array.from({ length: LIST_LENGTH }, () => ({ phone: phone(23, people++) }));
		if (!again) lists.push(list);
		await post(environment, 'leads', list);
	};
	const retry = async (): Promise<void> => {
		const states = [...storedStates(environment.userFolder, workflows.leads)];
		const failed = states.filter(([, state]) => state === 'error').map(([id]) => id);
		if (failed.length > 0) await environment.unlessEnded(editor.retry(random.pick(failed)));
	};
	const toggle = (name: Publishing) => async () => {
		const isPublished = asked.published.has(name);
		await (isPublished && random.next() < 0.6 ? unpublish : publish)(environment, asked, name);
	};
	const { control } = service;
	const call = async () =>
		await control.outbound({
			assistant_id: ASSISTANTS.calls,
			to: SOMEBODY,
			...(random.next() < 0.2 && { scenario: 'no-answer' }),
		});
	const textList = textLists(environment, asked);
	const at = async ({ from, to }: typeof KILL_MS, each: () => Promise<void> | void) => {
		for (;;) {
			await delay(Math.min(random.integer(from, to), Math.max(0, end - Date.now())));
			if (isOver()) return;
			await each();
		}
	};
	const signals = ['SIGKILL', 'SIGTERM'] as const;
	let kills = 0;
	for (const proxy of [environment.requests, environment.deliveries]) proxy.begin();
	await Promise.all([
		every(PAUSES.list, leadList),
		every(PAUSES.list, textList),
		every(PAUSES.retry, retry),
		every(PAUSES.call, call),
		every(PAUSES.toolCall, () => toolCall(environment)),
		...(['free', 'taken', 'toolHolder'] as const).map(
			async (name) => await every(PAUSES.publish, toggle(name)),
		),
		at(PARTITION_MS, () => random.pick([environment.requests, environment.deliveries]).partition()),
		at(KILL_MS, () => environment.restartAfter(signals[kills++ % 2] ?? 'SIGKILL')),
	]);
	for (const proxy of [environment.requests, environment.deliveries]) proxy.heal();
}

/** An assistant uses its tool in a call. */
export const toolCall = async (environment: ChaosEnvironment) =>
	await environment.service.control.outbound({
		assistant_id: ASSISTANTS.tool,
		to: SOMEBODY,
		tool: { name: 'look_up' },
	});
