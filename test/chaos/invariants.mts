import { waitFor } from '../../host/process/wait.mts';
import { assistantRecord } from '../../sandbox/test/support/calls.mts';
import { SECRET_HEADER } from '../support/midCallTools.mts';
import { CALL } from '../support/workflows.mts';
import { OTHERS_URL, TOKEN, type ChaosEnvironment } from './environment.mts';
import { leadNumbers, storedExecutions } from './evidence.mts';
import type { Exchange } from './faultyProxy.mts';
import { ASSISTANTS, BLOCKED, POLL, SEND, TOOL_TIMEOUT_S } from './workflows.mts';
import type { Workload } from './workload.mts';

const LIMIT_MS = 60_000;
const OPEN = ['initiated', 'ringing', 'in-progress'];

/** What was looked at, and what is not as it has to be. */
interface Count {
	checked: number;
	violations: string[];
}

/** What holds in a bad network, too. */
interface Invariant {
	count: () => Promise<Count>;
	/** Does what the package must never do, so that `count` has to find it. */
	violate: () => Promise<unknown>;
}

const all = <T,>(items: T[], isWrong: (item: T) => boolean, text: (item: T) => string): Count => ({
	checked: items.length,
	violations: items.filter(isWrong).map(text),
});

const twice = (values: string[]): Count =>
	all(
		[...Map.groupBy(values, (value) => value)],
		([, { length }]) => length > 1,
		([value, { length }]) => `${value}: ${length} times`,
	);

/** What holds, by its name, counted at the service and in what n8n has stored. */
export function createInvariants(
	environment: ChaosEnvironment,
	workload: Workload,
): Record<string, Invariant> {
	const { service, userFolder, workflows, deliveries, pauses } = environment;
	const { control } = service;
	const client = service.as(TOKEN);
	const sendSms = async (to: unknown, body: unknown) =>
		await client.post('/user/sms', { from: 1, to, body });
	/** The texts of which the node says that nobody got them. */
	const notSent = () =>
		storedExecutions(userFolder, workflows.texts)
			.flatMap(({ at }) => at(SEND, 1))
			.filter(({ error }) => (Object(error) as { result?: string }).result !== 'unknown');
	const webhookUrl = async (id: number): Promise<unknown> => {
		const { is_webhook_active, webhook_url } = await assistantRecord(client, id);
		return is_webhook_active && webhook_url;
	};
	const disableWebhook = async (assistant_id: number) =>
		await client.post('/user/assistants/disable-webhook', { assistant_id });
	const finishedCalls = async () =>
		(await control.calls()).filter(
			(call) => call.assistant_id === ASSISTANTS.calls && !OPEN.includes(call.status),
		);
	/** Whether a tool call has no answer although n8n ran all the time. */
	const isUnanswered = ({ at, ms, answered }: Exchange): boolean => {
		const end = ms === undefined ? Date.now() : at + ms;
		if (pauses.some(({ from, to }) => from <= end && at <= to)) return false;
		if (end - at > TOOL_TIMEOUT_S * 1_000) return true;
		return ms !== undefined && !(answered?.status === 200 && answered.body.includes('"answer"'));
	};

	return {
		'each lead is added at most once, also by Retry On Fail, Retry and a second list': {
			count: async () => twice(await leadNumbers(control)),
			violate: async () => {
				const phone_number = (await leadNumbers(control)).at(-1);
				const lead = { campaign_id: 1, phone_number, allow_dupplicate: true };
				await client.post('/user/lead', lead);
			},
		},
		'each SMS is sent at most once': {
			count: async () => twice((await control.messages()).map(({ body }) => body)),
			violate: async () => {
				const [message] = await control.messages();
				await sendSms(message?.to, message?.body);
			},
		},
		'what is told as refused, not sent or failed was not carried out': {
			count: async () => {
				const bodies = new Set<unknown>((await control.messages()).map(({ body }) => body));
				return all(
					notSent(),
					({ text }) => bodies.has(text),
					(item) => JSON.stringify(item),
				);
			},
			violate: async () => {
				const { phone, text } = notSent()[0] ?? {};
				await sendSms(phone, text);
			},
		},
		'nobody of Do Not Call is reached': {
			count: async () =>
				all(
					await control.messages(),
					({ to }) => BLOCKED.includes(to),
					({ body }) => body,
				),
			violate: async () => await sendSms(BLOCKED[0], 'Against the list'),
		},
		'each finished call starts the workflow, by the poll exactly once': {
			count: async () => {
				const executions = storedExecutions(userFolder, workflows.calls);
				const begins = (node: string, call: number) =>
					executions.flatMap(({ at }) => at(node)).filter(({ id }) => id === call).length;
				return all(
					await finishedCalls(),
					({ id }) => begins(POLL, id) !== 1,
					({ id }) =>
						`call ${id}: ${begins(POLL, id)} by the poll, ${begins(CALL, id)} by the trigger`,
				);
			},
			violate: async () => {
				await environment.editor.unpublish(workflows.calls);
				const before = (await finishedCalls()).length;
				await control.outbound({ assistant_id: ASSISTANTS.calls, to: '+4915112345690' });
				await waitFor(
					'the call to end',
					LIMIT_MS,
					async () => (await finishedCalls()).length > before || undefined,
				);
			},
		},
		'what is published is registered, or n8n says why not': {
			count: async () => {
				const now = [...workload.published].map(async (name) => {
					const isRegistered = await workload.isRegistered(name);
					return { text: `${name}, now`, refusal: undefined, isRegistered };
				});
				return all(
					[...workload.publishes, ...(await Promise.all(now))],
					({ refusal, isRegistered }) => (refusal === undefined ? !isRegistered : !refusal.trim()),
					({ text, refusal }) =>
						`${text}: ${refusal === undefined ? 'published, but not registered' : 'refused without a message'}`,
				);
			},
			violate: async () => await disableWebhook(ASSISTANTS.free),
		},
		'the webhook of another system is back after unpublishing': {
			count: async () =>
				all([await webhookUrl(ASSISTANTS.taken)], (url) => url !== OTHERS_URL, String),
			violate: async () => await disableWebhook(ASSISTANTS.taken),
		},
		[`each tool call that reaches n8n is answered within ${TOOL_TIMEOUT_S} s`]: {
			count: () => {
				const isToolCall = ({ headers }: Exchange) => SECRET_HEADER.toLowerCase() in headers;
				return Promise.resolve(
					all(deliveries.exchanges.filter(isToolCall), isUnanswered, (one) =>
						JSON.stringify({ ...one, headers: undefined, answered: one.answered?.body.toString() }),
					),
				);
			},
			// n8n does not know the path, so the answer is none of the trigger.
			violate: async () => {
				const headers = { [SECRET_HEADER]: 'a secret' };
				await fetch(`${deliveries.url}/webhook/unknown`, { method: 'POST', headers });
			},
		},
	};
}
