import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';
import * as z from 'zod';

import type { Editor } from '../../host/api/editor.mts';
import type { Execution } from '../../host/api/execution.mts';
import { withCredential, type Workflow } from '../../host/api/workflow.mts';
import { readExample } from '../../host/n8n/examples.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import type { ReceivedRequest } from '../../sandbox/client.mts';
import { asObject, type JsonObject } from '../support/sandbox/contract.mts';
import { startService, type Service } from '../support/sandbox/service.mts';
import type { GalleryEnvironment } from './environment.mts';

const SEED = join(import.meta.dirname, '../../sandbox/seeds/gallery.yaml');
/** The token of the gallery's seed. */
export const TOKEN = 'sandbox-token';
const EXECUTION_LIMIT_MS = 180_000;
const RUNNING = new Set(['new', 'running']);

/** An example in n8n, with a service of its own. */
export interface OpenExample {
	/** of the workflow in n8n */
	id: string;
	/** What was imported. */
	workflow: Workflow;
	/** With the account of `npm start`, and a clock that only moves when told to. It begins now. */
	service: Service;
	/** Runs it from a trigger, as *Execute workflow* does, and waits for the end. @throws when it failed */
	run: (trigger: string) => Promise<Execution>;
	/** Waits until so many executions have ended, those by hand too, and none runs. @returns them, the oldest first */
	executions: (count: number) => Promise<Execution[]>;
	/** The requests for one operation, which the service has received, the oldest first. */
	requests: (operation: string) => Promise<ReceivedRequest[]>;
	/** Their bodies. @throws Error when one is no object */
	sent: (operation: string) => Promise<JsonObject[]>;
	publish: () => Promise<void>;
	unpublish: () => Promise<void>;
}

/**
 * Imports an example, as a user does, and gives it a credential of its own service.
 *
 * @param name of the workflow
 * @param change what a user changes after the import, such as the length of a wait
 */
export async function openExample(
	{ cleanup }: Pick<Checks, 'cleanup'>,
	{ editor }: Pick<GalleryEnvironment, 'editor'>,
	name: string,
	change: (workflow: Workflow) => Workflow = (workflow) => workflow,
): Promise<OpenExample> {
	const now = new Date().toISOString();
	const seed = await accountWithoutPast();
	const service = await cleanup.use(startService({ seed, clock: { mode: 'manual', now } }));
	const account = await saveCredential(editor, name, { url: service.url, token: TOKEN });
	const workflow = change(withCredential(await readExample(name), account));
	const { id } = await editor.createWorkflow(workflow);
	const requests = async (operation: string) =>
		(await service.control.requests()).filter((request) => request.operation === operation);
	return {
		id,
		workflow,
		service,
		run: async (trigger) => await runFrom(editor, id, trigger),
		executions: async (count) =>
			await waitFor(`${count} executions of "${name}" to end`, EXECUTION_LIMIT_MS, async () => {
				const states = [...(await editor.executionStates(id)).values()];
				if (states.length < count || states.some((state) => RUNNING.has(state))) return undefined;
				const ended = await editor.executions(id);
				return ended.length >= count ? ended.reverse() : undefined;
			}),
		requests,
		sent: async (operation) =>
			(await requests(operation)).map(({ body }) => asObject(body, 'the body')),
		publish: async () => {
			await editor.publish(id);
		},
		unpublish: async () => {
			await editor.unpublish(id);
		},
	};
}

const seedFile = z.object({ users: z.array(z.record(z.unknown())) });

/** The seed of `npm start`. Its past calls and leads are for people who look around. */
async function accountWithoutPast(): Promise<object> {
	const { users } = seedFile.parse(parse(await readFile(SEED, 'utf8'), { merge: true }));
	return { users: users.map((user) => ({ ...user, calls: [], leads: [] })) };
}

async function runFrom(editor: Editor, id: string, trigger: string): Promise<Execution> {
	const execution = await editor.run(id, trigger);
	if (execution.status === 'success') return execution;
	throw new Error(
		`The execution from "${trigger}" ended as ${execution.status}: ${execution.error}`,
	);
}

/** Gives the workflow with other parameters of one node. @throws Error when it has no node of this name */
export function withParameters(workflow: Workflow, node: string, parameters: object): Workflow {
	if (!workflow.nodes.some(({ name }) => name === node)) {
		throw new Error(`"${workflow.name}" has no node "${node}".`);
	}
	const nodes = workflow.nodes.map((each) =>
		each.name === node ? { ...each, parameters: { ...each.parameters, ...parameters } } : each,
	);
	return { ...workflow, nodes };
}
