import { isDeepStrictEqual } from 'node:util';
import { beforeEach } from '@jest/globals';
import { n8nWith } from '../n8n/n8n.mts';
import { assistantRecord } from '../sandbox/calls.mts';
import type { JsonObject } from '../sandbox/contract.mts';
import type { SandboxOptions, Service } from '../sandbox/service.mts';
import { startTestService } from '../sandbox/testService.mts';
import { ALICE } from '../sandbox/seed.mts';
import { letTimePass } from './letTimePass.mts';
import type { Instance } from './triggerNode.mts';

export type EventName = 'callCompleted' | 'inboundCallCompleted';

/** Where an assistant sends one kind of event, according to its record. */
interface WebhookRegistration {
	url: string | null;
	isActive: boolean;
}

/** The service, and n8n installations that use it. */
export interface TriggerEnvironment {
	service: Service;
	/** An n8n with the account's credential. Tests may change the credential. */
	instance(
		about?: Partial<Omit<Instance, 'n8n'>> & { apiToken?: string; baseUrl?: string },
	): Instance;
	assistant(id?: number): Promise<JsonObject>;
	registration(event: EventName, assistantId?: number): Promise<WebhookRegistration>;
	/** Registers an address without this package. */
	register(event: EventName, url: string, assistantId?: number): Promise<void>;
	/** Switches off the delivery of completed calls, and keeps the address. */
	switchOff(assistantId?: number): Promise<void>;
	/** The operations that a function requests from the service, in order. */
	requestedOperations(work: () => Promise<unknown>): Promise<string[]>;
	/** Whether a function sends only reads, and leaves every field of an assistant unchanged. */
	isUnchangedBy(work: () => Promise<unknown>, assistantId?: number): Promise<boolean>;
	/** Lets every request to an operation fail. */
	fault(operation: string, rule: JsonObject): Promise<void>;
}

/** More often than any hook repeats a request. */
const ALWAYS = 100;

/** The addresses of two n8n installations. */
export const FIRST_N8N_URL = 'https://n8n.example.com';
export const SECOND_N8N_URL = 'https://staging.example.com';

/** Starts the service for the tests of a file, and resets it before each. Call it at the top of the file. */
export async function startTriggerEnvironment(
	options: SandboxOptions = {},
): Promise<TriggerEnvironment> {
	const service = await startTestService(options);
	beforeEach(letTimePass);
	const { alice, control } = service;
	const requests = async (work: () => Promise<unknown>) => {
		const before = (await control.requests()).length;
		await work();
		return (await control.requests()).slice(before);
	};
	const assistant = (id = 1) => assistantRecord(alice, id);
	const expectDone = ({ status, text }: { status: number; text: string }) => {
		if (status !== 200) throw new Error(text);
	};
	return {
		service,
		instance: ({ id = 'instance-1', webhookUrl = FIRST_N8N_URL, ...credential } = {}) => ({
			id,
			webhookUrl,
			warnings: [],
			n8n: n8nWith({ baseUrl: service.url, apiToken: ALICE, ...credential }),
		}),
		assistant,
		registration: async (event, id) => {
			const record = await assistant(id);
			return event === 'callCompleted'
				? { url: urlIn(record.webhook_url), isActive: record.is_webhook_active === true }
				: { url: urlIn(record.inbound_webhook_url), isActive: true };
		},
		register: async (event, webhook_url, id = 1) => {
			expectDone(
				event === 'callCompleted'
					? await alice.put(`/user/assistant/${id}`, { is_webhook_active: true, webhook_url })
					: await alice.post('/user/assistants/enable-inbound-webhook', {
							assistant_id: id,
							webhook_url,
						}),
			);
		},
		switchOff: async (id = 1) => {
			expectDone(await alice.put(`/user/assistant/${id}`, { is_webhook_active: false }));
		},
		requestedOperations: async (work) =>
			(await requests(work)).map(({ operation }) => String(operation)),
		isUnchangedBy: async (work, id) => {
			const before = await assistant(id);
			const onlyRead = (await requests(work)).every(({ method }) => method === 'GET');
			return onlyRead && isDeepStrictEqual(await assistant(id), before);
		},
		fault: async (operation, rule) => {
			await control.fault({ operation, times: ALWAYS, ...rule });
		},
	};
}

const urlIn = (value: unknown) => (typeof value === 'string' ? value : null);

/** The error of a promise. @throws when the promise does not reject */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
	const failure = await work.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (failure instanceof Error) return failure;
	throw new Error('It was expected to fail with an error');
}
