import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';
import * as z from 'zod';

import { getItems, type Execution } from '../../host/api/execution.mts';
import { withCredential, type Workflow } from '../../host/api/workflow.mts';
import { readExample, SET_UP } from '../../host/n8n/examples.mts';
import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { saveCredential, tokenFor } from '../../host/n8n/provision.mts';
import { withSandboxAddress } from '../../host/n8n/sandboxAddress.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { TestN8n } from '../support/startTestN8n.mts';
import { ORDINARY_WEATHER } from '../support/ordinaryWeather.mts';
import { storedStates } from '../support/storedExecutions.mts';
import { getRows } from '../../sandbox/test/support/client.mts';
import { asObject, type JsonObject } from '../../sandbox/test/support/contract.mts';
import { startService, type Service } from '../../sandbox/test/support/service.mts';

const SEED = join(import.meta.dirname, '../../sandbox/seeds/gallery.yaml');
/** The token of the seed. */
const TOKEN = 'sandbox-token';
const EXECUTION_LIMIT_MS = 180_000;
const RUNNING = new Set(['new', 'running']);
const UNFINISHED = new Set([...RUNNING, 'waiting']);

/** Of the times of the weather: examples with many rows send many requests. */
const SCALE = 0.03;

/** The trigger for calls. */
const CALL = 'When a call completes';
/** Longer than any call of the sandbox takes. */
export const A_CALL = 'PT3M';

/** Changes a workflow after its import. */
export type Change = (workflow: Workflow) => Workflow;

/** An example in n8n, with a service of its own. */
export type Example = Awaited<ReturnType<typeof openExample>>;

/** A service that the sandbox plays; the contract's unless one is given. */
export type Preset = 'current';

/** How a provider behaves: values of assumptions by their keys. */
export type Assume = Record<string, unknown>;

/** For an example with many rows, whose checks count what became of them: no result is unknown. */
export const NO_TIMEOUTS: Assume = { 'gateway-timeouts': null };

/**
 * Imports an example, and gives it a credential of its own service, which has the account of `npm start`,
 * behaves as a provider that differs by `assume`, and has a clock that begins now and only moves when
 * told to.
 */
export async function openExample(
	{ cleanup }: Checks,
	{ editor, userFolder }: TestN8n,
	name: string,
	changes: Change[] = [],
	calls: object[] = [],
	assume: Assume = {},
	preset?: Preset,
) {
	const clock = { mode: 'manual' as const, now: new Date().toISOString() };
	const seed = await accountWithCalls(calls);
	const behaviour = { ...ORDINARY_WEATHER.assume, ...assume };
	const weather = { scale: SCALE };
	const service = await cleanup.use(
		startService({ seed, clock, weather, assume: behaviour, service: preset }),
	);
	const { control } = service;
	const account = openAccount(service, preset !== undefined || Object.keys(assume).length > 0);
	const example = await readExample(name);
	const token = tokenFor(example, TOKEN);
	const credential = await saveCredential(editor, name, { url: service.url, token });
	const imported = withCredential(withSandboxAddress(example, service.url), credential);
	const workflow = [withoutSchedule, ...changes].reduce(
		(changed, change) => change(changed),
		imported,
	);
	const { id } = await editor.createWorkflow(workflow);

	// From the database, because n8n would be busy with the answers.
	const states = () => [...storedStates(userFolder, id)];
	const endedIds = () => states().flatMap(([each, state]) => (UNFINISHED.has(state) ? [] : [each]));
	const executions = async (count: number, before = 0): Promise<Execution[]> => {
		const ended = await waitFor(`${count} executions of "${name}"`, EXECUTION_LIMIT_MS, () => {
			const isRunning = states().some(([, state]) => RUNNING.has(state));
			const ids = endedIds().slice(before);
			return Promise.resolve(isRunning || ids.length < count ? undefined : ids);
		});
		assert.equal(ended.length, count, `Too many executions of "${name}".`);
		return await Promise.all(
			ended.map(async (each) => {
				const execution = await editor.execution(each);
				assert.ok(execution);
				return execution;
			}),
		);
	};
	const last = async (start: () => Promise<unknown>, count = 1): Promise<Execution[]> => {
		const before = endedIds().length;
		await start();
		return await executions(count, before);
	};
	const run = async (trigger: string): Promise<Execution> => {
		const { status, error, ...others } = await editor.run(id, trigger);
		assert.equal(status, 'success', `From "${trigger}": ${error}`);
		return { status, error, ...others };
	};
	/** The webhooks about the ends of calls, the oldest first. */
	const ends = async () =>
		(await control.deliveries()).map((delivery) => ({ ...delivery, call: delivery.body }));
	/** Delivers a call with other fields. */
	const deliverWith = async (
		delivery: Awaited<ReturnType<typeof ends>>[number] | undefined,
		fields: Record<string, unknown>,
	): Promise<void> => {
		assert.ok(delivery, 'The service has delivered no call that has ended.');
		const { status } = await fetch(delivery.url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ ...delivery.call, ...fields }),
		});
		assert.equal(status, 200);
	};
	/** Without those that came too fast, which are sent again. */
	const requests = async (operation: string) =>
		(await control.requests()).filter(
			(request) => request.operation === operation && request.status !== 429,
		);

	return {
		id,
		workflow,
		service,
		control,
		account,

		/** Runs it from a trigger, as *Execute workflow* does, and waits for the end. @throws when it failed */
		run,

		/** Makes its tables, twice, because the second time must change nothing. */
		setUp: async (): Promise<void> => {
			await run(SET_UP);
			await run(SET_UP);
		},

		/** Sets *Default Country Code* in its credential. */
		setCountryCode: async (defaultCountryCode: string): Promise<void> => {
			const data = { baseUrl: service.url, apiToken: token, defaultCountryCode };
			await editor.saveCredential(CREDENTIAL_TYPE, name, data);
		},

		publish: async () => await editor.publish(id),
		unpublish: async () => await editor.unpublish(id),

		/**
		 * Waits until so many executions have ended, and none runs.
		 *
		 * @param before how many had ended before, which do not count
		 * @returns them, the oldest first
		 */
		executions,

		/**
		 * Does what starts executions, and waits for their end.
		 *
		 * @returns the last one
		 * @throws AssertionError when one failed, or there are more
		 */
		next: async (start: () => Promise<unknown>, count = 1): Promise<Execution> => {
			const ended = await last(start, count);
			for (const { status, error } of ended) assert.equal(status, 'success', error);
			const execution = ended.at(-1);
			assert.ok(execution);
			return execution;
		},

		/** Does what starts an execution that fails. @returns why it failed */
		nextError: async (start: () => Promise<unknown>): Promise<string> => {
			const [{ status, error } = {}] = await last(start);
			assert.equal(status, 'error');
			return String(error);
		},

		/** Waits until the execution that a call started has ended. @throws AssertionError when it failed */
		untilHandled: async (callId: number): Promise<void> => {
			const { status, error } = await waitFor(`call ${callId}`, EXECUTION_LIMIT_MS, async () =>
				(await editor.executions(id)).find((execution) =>
					getItems(execution, CALL).some((item) => item.id === callId),
				),
			);
			assert.equal(status, 'success', error);
		},

		/** Waits until so many executions wait. */
		untilWaiting: async (count = 1): Promise<void> => {
			await waitFor(`${count} executions to wait`, EXECUTION_LIMIT_MS, () => {
				const waiting = states().filter(([, state]) => state === 'waiting');
				return Promise.resolve(waiting.length === count || undefined);
			});
		},

		/** The requests for one operation that the service has let in, the oldest first. */
		requests,

		/** Their bodies. @throws Error when one is no object */
		sent: async (operation: string): Promise<JsonObject[]> =>
			(await requests(operation)).map(({ body }) => asObject(body, 'the body')),

		/** Adds a lead at the service. @returns its id. The answer may be lost */
		addLead: async (lead: JsonObject): Promise<number> => {
			await account.post('/user/lead', lead);
			const [newest] = getRows(await control.request('GET', '/records/leads?limit=1'));
			return Number(newest?.id);
		},

		/** How many leads with this number there are. */
		countLeads: async (phone: string): Promise<number> => {
			const path = `/records/leads?search=${encodeURIComponent(phone)}`;
			return getRows(await control.request('GET', path)).length;
		},

		/** An assistant calls somebody, and the call ends. @returns its id */
		callOut: async (call: Parameters<typeof control.outbound>[0]): Promise<number> => {
			const { id: callId } = await control.outbound(call);
			await control.advance(A_CALL);
			return callId;
		},

		/** Somebody calls an assistant, and the call ends. @returns its id */
		callIn: async (call: Parameters<typeof control.inbound>[0]): Promise<number> => {
			const { id: callId } = await control.inbound(call);
			await control.advance(A_CALL);
			return callId;
		},

		/** The numbers of all who were called or have called, the oldest call first. */
		numbersCalled: async (): Promise<unknown[]> =>
			(await control.calls()).map((call) => call.client_phone_number),

		/** The SMS to a number. */
		smsTo: async (phone: string) => (await control.messages()).filter(({ to }) => to === phone),

		ends,

		/** Delivers the last ended call once more, with a field that came later. Without it, the trigger starts nothing. */
		replay: async (): Promise<void> => {
			await deliverWith((await ends()).at(-1), { rating: 5 });
		},

		/**
		 * Makes a delivery once more, as the inspector's *Replay* does: that of the last ended call unless given.
		 * The trigger starts nothing, unless n8n was restarted in between.
		 */
		redeliver: async (id?: number): Promise<void> => {
			const deliveryId = id ?? (await ends()).at(-1)?.id;
			const { status } = await control.request('POST', `/deliveries/${deliveryId}/replay`, {});
			assert.equal(status, 200);
		},

		/**
		 * Delivers what the sandbox would not: the first ended call that it has delivered, with other fields,
		 * as another service may send them.
		 */
		deliver: async (fields: Record<string, unknown>): Promise<void> => {
			await deliverWith((await ends())[0], fields);
		},
	};
}

/** Writes of the test's own. What a provider that differs answers need not fit the contract. */
function openAccount(service: Service, ignoreContract: boolean) {
	const client = service.as(TOKEN);
	const send = (method: string) => async (path: string, json: unknown) =>
		await client.request(method, path, { json, ignoreContract });
	return { post: send('POST'), put: send('PUT') };
}

const seedFile = z.object({ users: z.array(z.record(z.unknown())) });

/** The seed of `npm start`. Its past calls and leads are for people who look around. */
async function accountWithCalls(calls: object[]): Promise<object> {
	const { users } = seedFile.parse(parse(await readFile(SEED, 'utf8'), { merge: true }));
	const [first, ...others] = users;
	return { users: [{ ...first, calls, leads: [] }, ...others] };
}

/** n8n's clock cannot be turned: a schedule would start executions between those of a test. */
const withoutSchedule: Change = (workflow) => ({
	...workflow,
	nodes: workflow.nodes.map((node) =>
		node.type === 'n8n-nodes-base.scheduleTrigger' ? { ...node, parameters: LEAP_DAY } : node,
	),
});

const LEAP_DAY = { rule: { interval: [{ field: 'cronExpression', expression: '0 0 29 2 *' }] } };

/** Gives a node other values. @throws AssertionError when the workflow has no such node */
export const withNode =
	(name: string, values: (node: Workflow['nodes'][number]) => object): Change =>
	(workflow) => {
		assert.ok(
			workflow.nodes.some((node) => node.name === name),
			`There is no node "${name}".`,
		);
		const nodes = workflow.nodes.map((node) =>
			node.name === name ? { ...node, ...values(node) } : node,
		);
		return { ...workflow, nodes };
	};

/** Gives a node other parameters. @throws AssertionError when the workflow has no such node */
export const withParameters = (name: string, parameters: object): Change =>
	withNode(name, (node) => ({ parameters: { ...node.parameters, ...parameters } }));

/** Replaces parts of the workflow's JSON. @throws AssertionError when there are none */
export const withText =
	(part: string | RegExp, replacement: (found: string) => string): Change =>
	(workflow) => {
		let count = 0;
		const changed = JSON.stringify(workflow).replaceAll(part, (found) => {
			count += 1;
			return replacement(found);
		});
		assert.ok(count > 0, `There is no ${String(part)}.`);
		return JSON.parse(changed) as Workflow;
	};
