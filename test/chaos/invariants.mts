import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { waitFor } from '../../host/process/wait.mts';
import { SECRET_HEADER } from '../support/midCallTools.mts';
import { CALL } from '../support/workflows.mts';
import { records, storedExecutions } from './evidence.mts';
import type { Exchange } from './faultyProxy.mts';
import { ASSISTANTS, POLL, SEND, TOOL_TIMEOUT_S } from './workflows.mts';
import { BLOCKED, isRegistered, toolCall, type Asked } from './workload.mts';
import { OTHERS_URL, TOKEN, type ChaosEnvironment } from './environment.mts';

const LIMIT_MS = 60_000;
const OPEN = ['initiated', 'ringing', 'in-progress'];

/** What was looked at, and what is not as it has to be. */
interface Count {
	checked: number;
	violations: string[];
}

/** What holds in a bad network, too. */
interface Invariant {
	name: string;
	count: (environment: ChaosEnvironment, asked: Asked) => Promise<Count>;
	/** Does what the package must never do, at the same place, so that `count` has to find it. */
	violate: (environment: ChaosEnvironment, asked: Asked) => Promise<unknown>;
}

const all = <T,>(items: T[], isWrong: (item: T) => boolean, text: (item: T) => string): Count => ({
	checked: items.length,
	violations: items.filter(isWrong).map(text),
});

const twice = (values: string[]): Count => {
	const groups = [...Map.groupBy(values, (value) => value)];
	return all(
		groups,
		([, { length }]) => length > 1,
		([value, { length }]) => `${value}: ${length} times`,
	);
};

const client = ({ service }: ChaosEnvironment) => service.as(TOKEN);
const sendSms = async (environment: ChaosEnvironment, to: unknown, body: unknown) =>
	await client(environment).post('/user/sms', { from: 1, to, body });
const numbers = async ({ service }: ChaosEnvironment) =>
	(await records(service.control, 'leads')).map((lead) => String(lead.phone_number));
const sent = (environment: ChaosEnvironment, workflow: 'leads' | 'texts') =>
	storedExecutions(environment.userFolder, environment.workflows[workflow]);
/** The leads and the texts that an output of the node has, with the execution. */
const told = (environment: ChaosEnvironment, workflow: 'leads' | 'texts', output = 0) =>
	sent(environment, workflow).flatMap(({ id, at }) =>
		at(SEND, output).map((item) => ({
			id,
			item,
			error: Object(item.error) as { result?: string },
		})),
	);
/** The texts of which the node says that nobody got them. */
const notSent = (environment: ChaosEnvironment) =>
	told(environment, 'texts', 1).filter(({ error }) => error.result !== 'unknown');

/** Whether a tool call has no answer although n8n ran all the time. */
function isUnanswered({ pauses }: ChaosEnvironment, { at, ms, answered }: Exchange): boolean {
	const end = ms === undefined ? Date.now() : at + ms;
	if (pauses.some(({ from, to }) => from <= end && at <= to)) return false;
	if (end - at > TOOL_TIMEOUT_S * 1_000) return true;
	return ms !== undefined && !(answered?.status === 200 && answered.body.includes('"answer"'));
}

const webhookOf = async ({ service }: ChaosEnvironment, assistantId: number): Promise<unknown> => {
	const path = `/records/assistants/${assistantId}?secrets=1`;
	const { body } = await service.control.request('GET', path);
	return (body as { webhook: { url: string } | null }).webhook?.url;
};
const disableWebhook = async (environment: ChaosEnvironment, assistant_id: number) =>
	await client(environment).post('/user/assistants/disable-webhook', { assistant_id });

export const INVARIANTS: Invariant[] = [
	{
		name: 'each lead is added at most once, also by Retry On Fail, Retry and a second list',
		count: async (environment) => twice(await numbers(environment)),
		violate: async (environment) => {
			const [phone_number] = await numbers(environment);
			const body = { campaign_id: 1, phone_number, allow_dupplicate: true };
			await client(environment).post('/user/lead', body);
		},
	},
	{
		name: 'who is told as created is a lead',
		count: async (environment) => {
			const known = new Set(await numbers(environment));
			const created = told(environment, 'leads').filter(({ item }) => item.result === 'created');
			return all(
				created,
				({ item }) => !known.has(String(item.phone_number)),
				({ id, item }) => `execution ${id}: ${String(item.phone_number)}`,
			);
		},
		violate: async (environment) => {
			const created = told(environment, 'leads').find(({ item }) => item.result === 'created');
			await client(environment).delete(`/user/leads/${Number(created?.item.id)}`);
		},
	},
	{
		name: 'each SMS is sent at most once',
		count: async ({ service }) =>
			twice((await records(service.control, 'messages')).map(({ body }) => String(body))),
		violate: async (environment) => {
			const [message] = await records(environment.service.control, 'messages');
			await sendSms(environment, message?.to, message?.body);
		},
	},
	{
		name: 'what is told as refused, not sent or failed was not carried out',
		count: async (environment) => {
			const messages = await records(environment.service.control, 'messages');
			const bodies = new Set(messages.map(({ body }) => body));
			return all(
				notSent(environment),
				({ item }) => bodies.has(item.text),
				({ id, item, error }) => `execution ${id}: ${String(item.text)} is told as ${error.result}`,
			);
		},
		violate: async (environment) => {
			const [refused] = notSent(environment);
			await sendSms(environment, refused?.item.phone, refused?.item.text);
		},
	},
	{
		name: 'nobody of Do Not Call is reached',
		count: async ({ service }, { blockedTexts }) => {
			const messages = await records(service.control, 'messages');
			const { violations } = all(
				messages,
				({ to }) => BLOCKED.includes(String(to)),
				({ to, body }) => `${String(to)}: ${String(body)}`,
			);
			return { checked: blockedTexts, violations };
		},
		violate: async (environment) => await sendSms(environment, BLOCKED[0], 'Against the list'),
	},
	{
		name: 'each finished call starts the workflow, by the poll exactly once',
		count: async ({ service, userFolder, workflows }) => {
			const calls = (await service.control.calls()).filter(
				(call) => call.assistant_id === ASSISTANTS.calls && !OPEN.includes(call.status),
			);
			const begins = storedExecutions(userFolder, workflows.calls).map(({ begin }) => begin);
			const by = (node: string, call: number) =>
				begins
					.flatMap((begin) => (begin.node === node ? begin.items : []))
					.filter(({ id }) => id === call).length;
			return all(
				calls,
				({ id }) => by(POLL, id) !== 1,
				({ id }) => `call ${id}: ${by(POLL, id)} times by the poll, ${by(CALL, id)} by the trigger`,
			);
		},
		violate: async (environment) => {
			const { control } = environment.service;
			await environment.editor.unpublish(environment.workflows.calls);
			const { id } = await control.outbound({
				assistant_id: ASSISTANTS.calls,
				to: '+4915112345690',
			});
			await waitFor(
				'the call to end',
				LIMIT_MS,
				async () =>
					(await control.calls()).some((call) => call.id === id && !OPEN.includes(call.status)) ||
					undefined,
			);
		},
	},
	{
		name: 'what is published is registered, or n8n says why not',
		count: async (environment, { publishes, published }) => {
			const { checked, violations } = all(
				publishes,
				({ refusal, isRegistered: is }) => (refusal === undefined ? !is : refusal.trim() === ''),
				({ name, at, refusal }) =>
					`${name} at ${at}: ${refusal === undefined ? 'published, but not registered' : 'refused without a message'}`,
			);
			const now = await Promise.all(
				[...published].map(async (name) => ({ name, is: await isRegistered(environment, name) })),
			);
			const left = all(
				now,
				({ is }) => !is,
				({ name }) => `${name} is published, but not registered now`,
			);
			return { checked: checked + left.checked, violations: [...violations, ...left.violations] };
		},
		violate: async (environment) => await disableWebhook(environment, ASSISTANTS.free),
	},
	{
		name: 'the webhook of another system is back after unpublishing',
		count: async (environment) => {
			const url = await webhookOf(environment, ASSISTANTS.taken);
			return all(
				[url],
				() => url !== OTHERS_URL,
				() => `the assistant has ${String(url)}`,
			);
		},
		violate: async (environment) => await disableWebhook(environment, ASSISTANTS.taken),
	},
	{
		name: `each tool call that reaches n8n is answered within ${TOOL_TIMEOUT_S} s`,
		count: (environment) => {
			const secret = SECRET_HEADER.toLowerCase();
			const toolCalls = environment.deliveries.exchanges.filter(({ headers }) => secret in headers);
			return Promise.resolve(
				all(
					toolCalls,
					(exchange) => isUnanswered(environment, exchange),
					({ at, ms, answered }) =>
						`at ${new Date(at).toISOString()}, after ${ms} ms: ${JSON.stringify(answered)}`,
				),
			);
		},
		violate: async (environment) => {
			const { pid } = environment.n8n();
			const before = environment.deliveries.exchanges.length;
			process.kill(pid, 'SIGSTOP');
			try {
				await toolCall(environment);
				await waitFor('the tool call', LIMIT_MS, () =>
					Promise.resolve(environment.deliveries.exchanges.length > before || undefined),
				);
				await delay(TOOL_TIMEOUT_S * 1_000 + 500);
			} finally {
				process.kill(pid, 'SIGCONT');
			}
		},
	},
];

/** Does what an invariant forbids. @throws AssertionError when its count does not show it */
export async function prove(
	{ count, violate }: Invariant,
	environment: ChaosEnvironment,
	asked: Asked,
): Promise<void> {
	const before = (await count(environment, asked)).violations.length;
	await violate(environment, asked);
	const after = (await count(environment, asked)).violations.length;
	assert.ok(after > before, `Found ${after} violations, and ${before} before.`);
}
