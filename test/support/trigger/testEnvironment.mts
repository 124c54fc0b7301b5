import { beforeEach, expect } from '@jest/globals';
import { n8nWith } from '../n8n/n8n.mts';
import { assistantRecord } from '../../../sandbox/test/support/calls.mts';
import type { ServiceResponse } from '../../../sandbox/test/support/client.mts';
import type { JsonObject } from '../../../sandbox/test/support/contract.mts';
import type { SandboxOptions } from '../../../sandbox/test/support/service.mts';
import { startTestService } from '../../../sandbox/test/support/testService.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { letTimePass } from './letTimePass.mts';
import type { Instance } from './triggerNode.mts';
import { withoutWaits } from './withoutWaits.mts';

export type EventName = 'callCompleted' | 'inboundCallCompleted' | 'inboundCallStarting';

/** The service, and n8n installations that use it. */
export type TriggerEnvironment = Awaited<ReturnType<typeof startTriggerEnvironment>>;

/** What an installation has that is not usual. */
type InstanceSettings = Partial<Omit<Instance, 'n8n'>> & { apiToken?: string; baseUrl?: string };

/** More often than any hook repeats a request. */
const ALWAYS = 100;

/** The addresses of two n8n installations. */
export const FIRST_N8N_URL = 'https://n8n.example.com';
export const SECOND_N8N_URL = 'https://staging.example.com';

/** Starts the service for the tests of a file, and resets it before each. Call it at the top of the file. */
export async function startTriggerEnvironment(options: SandboxOptions = {}) {
	const service = await startTestService(options);
	beforeEach(letTimePass);
	const { alice, control } = service;
	const requests = async (work: () => Promise<unknown>) => {
		const before = (await control.requests()).length;
		await work();
		return (await control.requests()).slice(before);
	};
	const requestedOperations = async (work: () => Promise<unknown>) =>
		(await requests(work)).map(({ operation }) => String(operation));
	const assistant = (id = 1) => assistantRecord(alice, id);
	const registration = async (event: EventName = 'callCompleted', id = 1) => {
		const record = await assistant(id);
		return event === 'callCompleted'
			? { url: urlIn(record.webhook_url), isActive: record.is_webhook_active === true }
			: { url: urlIn(record.inbound_webhook_url), isActive: true };
	};
	const expectDone = async (request: Promise<ServiceResponse>) => {
		const { status, text } = await request;
		if (status !== 200) throw new Error(text);
	};
	const updateAssistant = async (fields: JsonObject, id = 1) => {
		await expectDone(alice.put(`/user/assistant/${id}`, fields));
	};
	const fault = async (operation: string, rule: JsonObject) => {
		await control.fault({ operation, times: ALWAYS, ...rule });
	};
	return {
		service,
		/** An n8n with the account's credential. Tests may change the credential. */
		instance: (settings: InstanceSettings = {}): Instance => {
			const { id = 'instance-1', webhookUrl = FIRST_N8N_URL, ...credential } = settings;
			const n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE, ...credential });
			return { id, webhookUrl, warnings: [], n8n };
		},
		assistant,
		/** Changes an assistant without this package. */
		updateAssistant,
		/** Where an assistant sends one kind of event, according to its record. */
		registration,
		/** The address that is registered for an event, with its token. */
		webhookUrl: async (...of: Parameters<typeof registration>) => (await registration(...of)).url,
		/** Registers an address without this package. */
		register: async (event: EventName, webhook_url: string, id = 1) => {
			if (event === 'callCompleted') {
				await updateAssistant({ is_webhook_active: true, webhook_url }, id);
				return;
			}
			const body = { assistant_id: id, webhook_url };
			await expectDone(alice.post('/user/assistants/enable-inbound-webhook', body));
		},
		/** Takes the address of completed calls away without this package. */
		unregister: () =>
			expectDone(alice.post('/user/assistants/disable-webhook', { assistant_id: 1 })),
		/** Switches off the delivery of completed calls, and keeps the address. */
		switchOff: () => updateAssistant({ is_webhook_active: false }),
		/** The operations that a function requests from the service, in order. */
		requestedOperations,
		/** Why a function fails, and the operations that it requests. */
		failure: async (work: () => Promise<unknown>) => {
			let error = new Error();
			const asked = await requestedOperations(async () => {
				error = await getFailure(work());
			});
			return { name: error.name, message: error.message, asked };
		},
		/** Expects that a function sends only reads, and leaves every field of the assistants unchanged. */
		expectUnchanged: async (work: () => Promise<unknown>) => {
			const both = () => Promise.all([assistant(1), assistant(2)]);
			const before = await both();
			const methods = new Set((await requests(work)).map(({ method }) => method));
			expect([[...methods].filter((method) => method !== 'GET'), await both()]).toEqual([
				[],
				before,
			]);
		},
		/** Lets every request to an operation fail. */
		fault,
		/** Runs a function while the service closes each connection on which its assistants are read. */
		whileDown: async <Result,>(work: () => Promise<Result>): Promise<Result> => {
			await fault('listAssistants', { drop: true });
			const result = await withoutWaits(work);
			await control.clearFaults();
			return result;
		},
	};
}

const urlIn = (value: unknown) => (typeof value === 'string' ? value : null);

/** The error of a promise. @throws when the promise does not reject */
export async function getFailure(work: Promise<unknown>): Promise<Error> {
	const failure = await work.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (failure instanceof Error) return failure;
	throw new Error('It was expected to fail with an error');
}

/** The message of what a promise rejects with. */
export const failureMessage = async (work: Promise<unknown>): Promise<string> =>
	(await getFailure(work)).message;

/** Whether a promise is fulfilled. */
export const isFulfilled = (work: Promise<unknown>): Promise<boolean> =>
	work.then(
		() => true,
		() => false,
	);
