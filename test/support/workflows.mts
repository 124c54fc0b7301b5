import { randomUUID } from 'node:crypto';

import { ACTION, POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';

/** Names of nodes in these workflows. */
export const START = 'Start';
export const CALL = 'When a call completes';

/** Poll times of a check that needs only the polls at publishing and at n8n's start. */
export const ONCE_A_YEAR = { item: [{ mode: 'custom', cronExpression: '0 0 1 1 *' }] };

type Node = Workflow['nodes'][number];
type Parameters = Record<string, unknown>;

/** Any node. */
export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters,
): Node => ({
	id: randomUUID(),
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
});

/** The node with a credential. */
export const withCredential = (target: Node, { id, name, type }: CredentialRef): Node => ({
	...target,
	credentials: { [type]: { id, name } },
});

/** n8n's *Manual Trigger*. */
export const start = (): Node => node(START, 'n8n-nodes-base.manualTrigger', 1, {});

/** The action node. */
export const action = (name: string, parameters: Parameters, credential: CredentialRef): Node =>
	withCredential(node(name, ACTION, 1, parameters), credential);

/** The trigger, for an assistant that is chosen by its ID. */
export const trigger = (
	triggerOn: 'callCompleted' | 'inboundCallCompleted' | 'inboundCallStarting',
	assistantId: number,
	credential: CredentialRef,
	others: Parameters = {},
): Node =>
	withCredential(
		node(CALL, TRIGGER, 2, {
			triggerOn,
			assistantId: { __rl: true, mode: 'id', value: String(assistantId) },
			...others,
		}),
		credential,
	);

/** The poll trigger, for the calls of one assistant. n8n adds the times of the polls: once a minute. */
export const pollTrigger = (assistantId: number, credential: CredentialRef): Node =>
	withCredential(
		node(CALL, POLL_TRIGGER, 1, {
			assistants: {
				values: [{ assistantId: { __rl: true, mode: 'id', value: String(assistantId) } }],
			},
		}),
		credential,
	);

/** n8n's *Edit Fields*, whose output has only these fields. */
export const fields = (name: string, values: Record<string, string>): Node =>
	node(name, 'n8n-nodes-base.set', 3.4, {
		assignments: {
			assignments: Object.entries(values).map(([field, value]) => ({
				id: field,
				name: field,
				value,
				type: 'string',
			})),
		},
		options: {},
	});

/** n8n's *HTTP Request*, without a credential. */
export const httpGet = (name: string, url: string): Node =>
	node(name, 'n8n-nodes-base.httpRequest', 4.2, { url, options: {} });

/** n8n's *HTTP Request* with a credential of the package. */
export const httpRequest = (
	name: string,
	parameters: Parameters,
	credential: CredentialRef,
): Node => {
	const target = node(name, 'n8n-nodes-base.httpRequest', 4.2, {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: credential.type,
		...parameters,
	});
	return withCredential(target, credential);
};

/**
 * Makes a workflow.
 *
 * @param links the node after each output: [['Start', 'Add lead'], ['Add lead', 'Failed', 1]]
 */
export function workflow(
	name: string,
	nodes: Node[],
	links: Array<[from: string, to: string, output?: number]> = [],
): Workflow {
	const connections: Record<string, { main: object[][] }> = {};
	for (const [from, to, output = 0] of links) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}
