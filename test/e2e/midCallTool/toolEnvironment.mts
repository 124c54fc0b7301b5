import type { Editor } from '../../../host/api/editor.mts';
import type { CredentialRef } from '../../../host/api/workflow.mts';
import { saveCredential } from '../../../host/n8n/provision.mts';
import { assistantRecord } from '../../../sandbox/test/support/calls.mts';
import type { ServiceClient } from '../../../sandbox/test/support/client.mts';
import { getObjects, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import { newAssistant, newTool } from '../../../sandbox/test/support/seed.mts';
import { callTool } from '../../../sandbox/test/support/toolCalls.mts';
import {
	startService,
	type SandboxOptions,
	type Service,
} from '../../../sandbox/test/support/service.mts';
import type { E2eServers } from '../testEnvironment.mts';

const TOKEN = 'dave-token';

/** The number of the assistants. */
export const PHONE_NUMBER = '+4915112345201';

/** Another tool, which each assistant has from the beginning. */
export const OTHER_TOOL = 1;

/** A service of its own with one user, so that its clock and its requests belong to one part of the suite. */
interface ToolEnvironment {
	editor: Editor;
	service: Service;
	user: ServiceClient;
	credential: CredentialRef;
}

/**
 * Starts a service, and stores a credential for it.
 *
 * @param name of the part, for the credential
 * @param assistants how many the user has; their IDs begin at 1
 * @param fields of the user
 * @param options of the service
 */
export async function startToolEnvironment(
	{ cleanup, editor }: E2eServers,
	{ name, assistants, ...fields }: { name: string; assistants: number } & JsonObject,
	options: SandboxOptions = {},
): Promise<ToolEnvironment> {
	const seed = {
		users: [
			{
				token: TOKEN,
				tool_quota: 100,
				voices: [{ id: 1, name: 'Dora' }],
				languages: ['English'],
				phone_numbers: [{ id: 1, phone_number: PHONE_NUMBER }],
				tools: [{ ...newTool, id: OTHER_TOOL }],
				assistants: Array.from({ length: assistants }, (_, index) => ({
					...newAssistant,
					id: index + 1,
					assistant_name: `${name} ${index + 1}`,
					phone_number_id: 1,
					tool_ids: [OTHER_TOOL],
				})),
				...fields,
			},
		],
	};
	const service = await cleanup.use(startService({ seed, ...options }));
	const { url } = service;
	const credential = await saveCredential(editor, name, { url, token: TOKEN });
	return { editor, service, user: service.as(TOKEN), credential };
}

/** The tools of an assistant. */
const getTools = async ({ user }: ToolEnvironment, assistantId: number): Promise<JsonObject[]> =>
	getObjects((await assistantRecord(user, assistantId)).tools);

/** The IDs of an assistant's tools. */
export const getToolIds = async (
	environment: ToolEnvironment,
	assistantId: number,
): Promise<unknown[]> => (await getTools(environment, assistantId)).map(({ id }) => id);

/** The tool that an assistant has besides the other one. */
export async function ownTool(
	environment: ToolEnvironment,
	assistantId: number,
): Promise<JsonObject> {
	const tools = await getTools(environment, assistantId);
	const [tool, ...others] = tools.filter(({ id }) => id !== OTHER_TOOL);
	if (tool === undefined || others.length > 0) throw new Error(`${tools.length} tools`);
	return tool;
}

/** An assistant uses a tool in a call. @returns the tool's answer, parsed; undefined when none came */
export async function getAnswer(
	{ service, user }: ToolEnvironment,
	assistantId: number,
	name: string,
	values: JsonObject = {},
): Promise<unknown> {
	const { request } = await callTool(service, user, assistantId, name, values);
	return request.answer === '' ? undefined : JSON.parse(request.answer);
}

/** How many requests of an operation the service got. */
export const countRequests = async (
	{ service }: ToolEnvironment,
	operation: string,
): Promise<number> =>
	(await service.control.requests()).filter((request) => request.operation === operation).length;
