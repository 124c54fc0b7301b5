import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { readExecution, type Execution } from './execution.mts';
import { waitFor } from './wait.mts';
import type { CredentialRef, Workflow } from './workflow.mts';

const REQUEST_LIMIT_MS = 60_000;
/** n8n 2.41 tries five times over 15 s before it gives a registration up. */
const PUBLISH_LIMIT_MS = 60_000;
const EXECUTION_LIMIT_MS = 120_000;

/** Who owns the n8n. Its password must satisfy n8n: 8 characters or more, a digit, a capital letter. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A workflow as n8n has stored it. */
export interface StoredWorkflow {
	id: string;
	name: string;
}

/** n8n's answer to a credential test. */
export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** What the editor in the browser can do, over the same REST API. */
export interface Editor {
	/** Signs in; where n8n has no owner yet, sets this one up. False when it has another owner or password. */
	signIn(owner: Owner): Promise<boolean>;
	/** Creates a credential, or gives the one of this type and name new data. */
	saveCredential(type: string, name: string, data: Record<string, string>): Promise<CredentialRef>;
	/** Runs n8n's own test of a credential. */
	testCredential(ref: CredentialRef, data: Record<string, string>): Promise<CredentialTest>;
	/** Every workflow, archived ones too. */
	workflows(): Promise<StoredWorkflow[]>;
	createWorkflow(workflow: Workflow): Promise<StoredWorkflow>;
	/** Publishes a workflow and waits until its triggers are registered. Throws with n8n's words when one is not. */
	publish(workflowId: string): Promise<void>;
	/** Unpublishes a workflow and waits until its triggers are unregistered. */
	unpublish(workflowId: string): Promise<void>;
	/** Runs a workflow from its manual trigger and waits for the end. */
	run(workflowId: string, startNode: string): Promise<Execution>;
	/** The ended executions of a workflow, the newest first. */
	executions(workflowId: string): Promise<Execution[]>;
}

const settings = z.object({ userManagement: z.object({ showSetupOnFirstLoad: z.boolean() }) });
const credential = z.object({ id: z.string(), name: z.string(), type: z.string() });
const credentialTest = z.object({ status: z.enum(['OK', 'Error']), message: z.string() });
const storedWorkflow = z.object({ id: z.string(), name: z.string() });
const version = z.object({ versionId: z.string() });
const publication = z.object({
	status: z.string(),
	triggers: z.array(z.object({ errorMessage: z.string().nullish() })).default([]),
});
const started = z.object({ executionId: z.coerce.string() });
const executionList = z.object({ results: z.array(z.object({ id: z.coerce.string() })) });
const envelope = z.object({ data: z.unknown() });
const refusal = z.object({ message: z.string() });

/**
 * Opens n8n's REST API, the one its editor uses (measured on n8n 2.0.0 and 2.41.1; it is not a
 * public interface). All calls throw an Error with n8n's own words when n8n refuses.
 *
 * @param url base URL of n8n
 */
export function openEditor(url: string): Editor {
	let cookie = '';

	const send = async (method: string, path: string, body?: unknown): Promise<Response> => {
		const request = fetch(`${url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n ties a session to one browser.
				'browser-id': 'voice-assistant-calling-host',
				cookie,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
		});
		const response = await request.catch((error: unknown) => {
			throw new Error(`n8n did not answer ${method} ${path}.`, { cause: error });
		});
		const session = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (session !== undefined) cookie = session.split(';')[0] ?? '';
		return response;
	};

	const call = async <T,>(
		answer: z.ZodType<T, z.ZodTypeDef, unknown>,
		method: string,
		path: string,
		body?: unknown,
	): Promise<T> => {
		const response = await send(method, path, body);
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n refused ${method} ${path} (${response.status}): ${reason(text)}`);
		}
		return answer.parse(envelope.parse(JSON.parse(text)).data);
	};

	const versionOf = async (workflowId: string): Promise<string> =>
		(await call(version, 'GET', `/workflows/${workflowId}`)).versionId;

	/** n8n 2.41 registers triggers after its answer. 2.0 does it before, and knows no such status. */
	const settle = async (workflowId: string): Promise<z.infer<typeof publication> | undefined> => {
		const path = `/workflows/${workflowId}/publication-status`;
		if ((await send('GET', path)).status === 404) return undefined;
		return await waitFor('n8n to settle the publication', PUBLISH_LIMIT_MS, async () => {
			const state = await call(publication, 'GET', path);
			return state.status === 'in_progress' ? undefined : state;
		});
	};

	const execution = async (id: string): Promise<Execution | undefined> =>
		readExecution(await call(z.unknown(), 'GET', `/executions/${id}`));

	return {
		async signIn(owner) {
			const { userManagement } = await call(settings, 'GET', '/settings');
			if (userManagement.showSetupOnFirstLoad) {
				await call(z.unknown(), 'POST', '/owner/setup', owner);
				return true;
			}
			const { email, password } = owner;
			const response = await send('POST', '/login', { emailOrLdapLoginId: email, password });
			if (response.ok) return true;
			if (response.status === 401) return false;
			throw new Error(
				`n8n refused the login (${response.status}): ${reason(await response.text())}`,
			);
		},

		async saveCredential(type, name, data) {
			const known = (await call(z.array(credential), 'GET', '/credentials')).find(
				(candidate) => candidate.type === type && candidate.name === name,
			);
			return known === undefined
				? await call(credential, 'POST', '/credentials', { name, type, data })
				: await call(credential, 'PATCH', `/credentials/${known.id}`, { name, type, data });
		},

		async testCredential(ref, data) {
			const credentials = { ...ref, data };
			return await call(credentialTest, 'POST', '/credentials/test', { credentials });
		},

		async workflows() {
			return await call(z.array(storedWorkflow), 'GET', '/workflows');
		},

		async createWorkflow(workflow) {
			// As the editor does at an import, and n8n 2.41 by itself. Without it n8n 2.0 makes the
			// webhook's path of the node's name, and does not find it again if that has a space.
			const nodes = workflow.nodes.map((node) =>
				node.type.endsWith('Trigger') ? { webhookId: randomUUID(), ...node } : node,
			);
			// n8n 2.0 wants `active`, 2.41 ignores it.
			const body = { ...workflow, nodes, active: false };
			return await call(storedWorkflow, 'POST', '/workflows', body);
		},

		async publish(workflowId) {
			const versionId = await versionOf(workflowId);
			await call(z.unknown(), 'POST', `/workflows/${workflowId}/activate`, { versionId });
			const state = await settle(workflowId);
			if (state !== undefined && state.status !== 'published') {
				const words = state.triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
				throw new Error(`n8n did not publish the workflow (${state.status}). ${words.join('\n')}`);
			}
		},

		async unpublish(workflowId) {
			await call(z.unknown(), 'POST', `/workflows/${workflowId}/deactivate`, {});
			const state = await settle(workflowId);
			if (state !== undefined && state.status !== 'not_published') {
				throw new Error(`n8n did not unpublish the workflow (${state.status}).`);
			}
		},

		async run(workflowId, startNode) {
			// n8n 2.0 runs what it is sent, 2.41 what it has stored.
			const workflowData = await call(z.unknown(), 'GET', `/workflows/${workflowId}`);
			const body = { workflowData, triggerToStartFrom: { name: startNode } };
			const { executionId } = await call(started, 'POST', `/workflows/${workflowId}/run`, body);
			return await waitFor(
				`execution ${executionId} to end`,
				EXECUTION_LIMIT_MS,
				async () => await execution(executionId),
			);
		},

		async executions(workflowId) {
			const filter = encodeURIComponent(JSON.stringify({ workflowId }));
			const { results } = await call(executionList, 'GET', `/executions?filter=${filter}`);
			const all = await Promise.all(results.map(async ({ id }) => await execution(id)));
			return all.filter((one) => one !== undefined);
		},
	};
}

function reason(text: string): string {
	try {
		return refusal.parse(JSON.parse(text)).message;
	} catch {
		return text.slice(0, 300);
	}
}
