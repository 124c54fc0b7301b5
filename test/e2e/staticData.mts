import type { E2eServers } from './testEnvironment.mts';

/** What n8n gives to everybody who may open a workflow, with its static data, as text. */
export async function readStoredWorkflow(
	{ editor }: Pick<E2eServers, 'editor'>,
	workflowId: string,
): Promise<string> {
	const response = await editor.rest.send('GET', `/rest/workflows/${workflowId}`);
	return await response.text();
}

/** The token of a registered URL. */
export function tokenIn(url: string): string {
	const token = new URL(url).searchParams.get('token');
	if (!token) throw new Error('The URL has no token.');
	return token;
}
