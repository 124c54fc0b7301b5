import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { readExecution, type Execution } from './execution.mts';
import { N8nError, n8nMessageIn, NoResponse, openRest } from './rest.mts';
import { waitFor } from '../process/wait.mts';
import { parseWorkflow, type CredentialRef, type Workflow } from './workflow.mts';

/** n8n 2.41 tries to register a trigger five times, and gives up after 84 s. */
const PUBLISH_LIMIT_MS = 100_000;
const EXECUTION_LIMIT_MS = 300_000;
/** The most executions that n8n gives at once. */
const PAGE_SIZE = 100;

/** The owner account. n8n wants a password of 8 or more characters with a digit and a capital letter. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

const settings = z.object({ userManagement: z.object({ showSetupOnFirstLoad: z.boolean() }) });
const credential = z.object({ id: z.string(), name: z.string(), type: z.string() });
/** n8n writes a sign in place of a secret, and puts the secret back when it gets the sign. */
const credentialWithData = credential.extend({ data: z.record(z.unknown()) });
const credentialTest = z.object({ status: z.enum(['OK', 'Error']), message: z.string() });
const storedWorkflow = z.object({
	id: z.string(),
	name: z.string(),
	active: z.boolean(),
	isArchived: z.boolean().default(false),
});
/** A workflow in n8n; `active` means that it is published. */
export type StoredWorkflow = z.infer<typeof storedWorkflow>;
const tag = z.object({ id: z.string(), name: z.string() });

/** The active version is what is published. */
const version = z.object({ versionId: z.string(), activeVersionId: z.string().nullish() });
const publication = z.object({
	status: z.string(),
	triggers: z.array(z.object({ errorMessage: z.string().nullish() })).default([]),
});
const started = z.object({ executionId: z.coerce.string() });
const retried = z.object({ id: z.coerce.string() });
const listening = z.object({ waitingForWebhook: z.literal(true) });
const executionList = z.object({
	results: z.array(z.object({ id: z.coerce.string(), status: z.string() })),
	/** n8n 2.41 */
	nextCursor: z.string().nullish(),
});

type ListedExecution = z.infer<typeof executionList>['results'][number];

export type Editor = ReturnType<typeof openEditor>;

/**
 * Opens the REST API of n8n's editor (measured on n8n 2.0.0 and 2.41.1; not a public interface). All
 * methods throw {@link N8nError} when n8n refuses.
 *
 * @param url base URL of n8n
 */
export function openEditor(url: string) {
	const rest = openRest(url);
	const { send, call } = rest;

	const readVersions = async (workflowId: string) =>
		await call(version, 'GET', `/workflows/${workflowId}`);

	/**
	 * Waits until n8n 2.41 has registered or unregistered the triggers, and gives how that ended. n8n 2.0
	 * does it before its response, and has no such status.
	 *
	 * n8n reads the progress and the triggers at the same time. With PostgreSQL its first answer after
	 * the end can still have the old triggers (1 of 600 did). The next one cannot.
	 */
	const waitForPublication = async (workflowId: string) => {
		const path = `/workflows/${workflowId}/publication-status`;
		if ((await send('GET', `/rest${path}`)).status === 404) return undefined;
		const readEnded = async () =>
			await waitFor('the publication to end', PUBLISH_LIMIT_MS, async () => {
				const state = await call(publication, 'GET', path);
				return state.status === 'in_progress' ? undefined : state;
			});
		await readEnded();
		return await readEnded();
	};

	const publishVersion = async (workflowId: string, versionId: string): Promise<void> => {
		await call(z.unknown(), 'POST', `/workflows/${workflowId}/activate`, { versionId });
		const state = await waitForPublication(workflowId);
		if (state !== undefined && state.status !== 'published') {
			const messages = state.triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
			throw new N8nError(`to publish the workflow (${state.status})`, messages.join('\n'));
		}
	};

	/** Unpublishes a workflow and waits until its triggers are unregistered. */
	const unpublish = async (workflowId: string): Promise<void> => {
		await call(z.unknown(), 'POST', `/workflows/${workflowId}/deactivate`, {});
		const state = await waitForPublication(workflowId);
		if (state !== undefined && state.status !== 'not_published') {
			throw new N8nError('to unpublish the workflow', state.status);
		}
	};

	/** An execution; undefined before it has ended. */
	const execution = async (id: string): Promise<Execution | undefined> => {
		const stored = await call(z.unknown(), 'GET', `/executions/${id}`);
		// n8n 2.41 did so shortly after a restart, while the execution was running.
		if (stored === undefined) throw new NoResponse(`n8n sent nothing for execution ${id}.`);
		return readExecution(stored);
	};

	/**
	 * n8n reads those that run and those that have ended at the same moment, so one that ends just then is in its
	 * list twice (n8n 2.0, 2.41).
	 */
	const listExecutions = async (workflowId: string): Promise<ListedExecution[]> => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const all: ListedExecution[] = [];
		for (let next = ''; ;) {
			const path = `/executions?limit=${PAGE_SIZE}&filter=${filter}${next}`;
			const { results, nextCursor } = await call(executionList, 'GET', path);
			all.push(...results);
			const last = results.at(-1);
			if (last === undefined || results.length < PAGE_SIZE || nextCursor === null) {
				return [...new Map(all.map((one) => [one.id, one])).values()];
			}
			// n8n 2.0 continues after an id, 2.41 at a cursor.
			next = nextCursor ? `&cursor=${encodeURIComponent(nextCursor)}` : `&lastId=${last.id}`;
		}
	};

	const startAt = async (workflowId: string, trigger: string): Promise<unknown> => {
		// n8n 2.0 runs the workflow in the request, 2.41 the stored one.
		const workflowData = await call(z.unknown(), 'GET', `/workflows/${workflowId}`);
		const body = { workflowData, triggerToStartFrom: { name: trigger } };
		return await call(z.unknown(), 'POST', `/workflows/${workflowId}/run`, body);
	};

	/** The credential of this type and name, if there is one. */
	const findCredential = async (type: string, name: string) =>
		(await call(z.array(credential), 'GET', '/credentials')).find(
			(one) => one.type === type && one.name === name,
		);

	/** Starts a workflow at its manual trigger. @returns the id of the execution */
	const start = async (workflowId: string, startNode: string): Promise<string> =>
		started.parse(await startAt(workflowId, startNode)).executionId;

	return {
		/** the session, for other requests */
		rest,

		/** Signs in; an n8n without owner gets this one. False when n8n has another owner or password. */
		async signIn(owner: Owner): Promise<boolean> {
			const { userManagement } = await call(settings, 'GET', '/settings');
			if (userManagement.showSetupOnFirstLoad) {
				await call(z.unknown(), 'POST', '/owner/setup', owner);
				return true;
			}
			const { email, password } = owner;
			const response = await send('POST', '/rest/login', { emailOrLdapLoginId: email, password });
			if (response.ok) return true;
			if (response.status === 401) return false;
			throw new N8nError(`the login (${response.status})`, n8nMessageIn(await response.text()));
		},

		/** The credential of this type and name with its data; a sign is in the place of each secret. */
		async readCredential(type: string, name: string) {
			const known = await findCredential(type, name);
			if (known === undefined) return undefined;
			return await call(credentialWithData, 'GET', `/credentials/${known.id}?includeData=true`);
		},

		/** Creates a credential, or replaces the data of the one of this type and name. */
		async saveCredential(type: string, name: string, data: Record<string, unknown>) {
			const known = await findCredential(type, name);
			const [method, path] =
				known === undefined ? ['POST', '/credentials'] : ['PATCH', `/credentials/${known.id}`];
			return await call(credential, method, path, { name, type, data });
		},

		/** Runs n8n's own test of a credential. */
		async testCredential(ref: CredentialRef, data: Record<string, string>) {
			const credentials = { ...ref, data };
			return await call(credentialTest, 'POST', '/credentials/test', { credentials });
		},

		/** All workflows, archived ones too. */
		workflows: async () => await call(z.array(storedWorkflow), 'GET', '/workflows'),

		/** The nodes and connections of a workflow, as they are in the editor. */
		workflow: async (workflowId: string): Promise<Workflow> =>
			parseWorkflow(await call(z.unknown(), 'GET', `/workflows/${workflowId}`)),

		/** Gives the id of a tag for workflows, which is created if there is none of this name. */
		async tag(name: string): Promise<string> {
			const known = (await call(z.array(tag), 'GET', '/tags')).find((each) => each.name === name);
			return (known ?? (await call(tag, 'POST', '/tags', { name }))).id;
		},

		/** @param tags their ids */
		async createWorkflow(workflow: Workflow, tags: string[] = []): Promise<StoredWorkflow> {
			// The editor does this at an import, and n8n 2.41 itself. Without it n8n 2.0 uses the node's
			// name as the webhook's path, and does not find it again if it contains a space.
			const nodes = workflow.nodes.map((node) =>
				node.type.endsWith('Trigger') ? { webhookId: randomUUID(), ...node } : node,
			);
			// n8n 2.0 requires `active`, 2.41 ignores it.
			const body = { ...workflow, nodes, active: false, tags };
			return await call(storedWorkflow, 'POST', '/workflows', body);
		},

		/** Saves changes of a workflow. A published workflow runs unchanged until it is published again. */
		async saveWorkflow(workflowId: string, { name, nodes, connections }: Workflow): Promise<void> {
			const { versionId } = await readVersions(workflowId);
			const body = { name, nodes, connections, versionId };
			await call(storedWorkflow, 'PATCH', `/workflows/${workflowId}`, body);
		},

		/** Publishes a workflow and waits until its triggers are registered. Throws when one is not. */
		async publish(workflowId: string): Promise<void> {
			await publishVersion(workflowId, (await readVersions(workflowId)).versionId);
		},

		unpublish,

		/**
		 * Waits until n8n 2.41 has published the workflows of an older version anew, which it does after it
		 * says that it has started. Until then it answers their webhooks with 404.
		 */
		async waitUntilPublished(): Promise<void> {
			const all = await call(z.array(storedWorkflow), 'GET', '/workflows');
			for (const { id, name } of all.filter(({ active }) => active)) {
				await waitFor(`n8n to publish "${name}"`, PUBLISH_LIMIT_MS, async () => {
					const { status } = await call(publication, 'GET', `/workflows/${id}/publication-status`);
					return status === 'published' || undefined;
				});
			}
		},

		/** Registers the triggers of a published workflow anew. Its unpublished changes stay so. */
		async republish(workflowId: string): Promise<void> {
			const { versionId, activeVersionId } = await readVersions(workflowId);
			await unpublish(workflowId);
			await publishVersion(workflowId, activeVersionId ?? versionId);
		},

		start,

		execution,

		/** Runs a workflow from its manual trigger and waits for the end. */
		async run(workflowId: string, startNode: string): Promise<Execution> {
			const id = await start(workflowId, startNode);
			return await waitFor(`execution ${id} to end`, EXECUTION_LIMIT_MS, () => execution(id));
		},

		/** Runs an execution that failed again, as *Retry* in the list of executions does, and waits for the end. */
		async retry(executionId: string): Promise<Execution> {
			const path = `/executions/${executionId}/retry`;
			// n8n 2.0 and 2.41 answer when it has ended.
			const { id } = await call(retried, 'POST', path, { loadWorkflow: false });
			return await waitFor(`execution ${id} to end`, EXECUTION_LIMIT_MS, () => execution(id));
		},

		/** Listens for a test event, as the button on the trigger does. Throws when n8n refuses. */
		async listen(workflowId: string, trigger: string): Promise<void> {
			listening.parse(await startAt(workflowId, trigger));
		},

		/** Stops listening for a test event; n8n responds before the trigger is unregistered. */
		async stopListening(workflowId: string): Promise<void> {
			await call(z.unknown(), 'DELETE', `/test-webhook/${workflowId}`);
		},

		/** The ended executions of a workflow, the newest first. */
		async executions(workflowId: string): Promise<Execution[]> {
			const listed = await listExecutions(workflowId);
			const all = await Promise.all(listed.map(({ id }) => execution(id)));
			return all.filter((one) => one !== undefined);
		},

		/** The status of each execution of a workflow, by id: new, running, success, error, crashed, … */
		async executionStates(workflowId: string): Promise<Map<string, string>> {
			return new Map((await listExecutions(workflowId)).map(({ id, status }) => [id, status]));
		},
	};
}
