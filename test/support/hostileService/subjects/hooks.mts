import type { INodeParameters } from 'n8n-workflow';

import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../../../../host/n8n/names.mts';
import { Lifecycle, type N8nVersion } from '../../trigger/lifecycle.mts';
import { toolParameters } from '../../trigger/toolTrigger.mts';
import { onAssistant, TriggerNode } from '../../trigger/triggerNode.mts';
import type { HostileServer, ReceivedRequest } from '../hostileServer.mts';
import { n8nAt, newWorkflowId, outcomeOf, SECOND, type Outcome, type Subject } from './subject.mts';

/** One of the five attempts of n8n 2.41, and the `delete` that follows it (docs/decisions/0016). */
export const PUBLISH_LIMIT_MS = 15 * SECOND;

/** The service cannot delete tools, so its answer is waited for longer (docs/decisions/0016). */
const CREATE_TOOL_LIMIT_MS = 35 * SECOND;

/** n8n 2.41 gives up a workflow after 84 seconds. */
const UNPUBLISH_LIMIT_MS = 80 * SECOND;

const WEBHOOK_URL = 'https://n8n.example.com';

const isWrite = ({ method }: ReceivedRequest) => method !== 'GET';

/** The hooks of a trigger type. `parameters` choose the assistant. */
interface Hooks {
	name: string;
	type: string;
	parameters: (assistantId: number) => INodeParameters;
	limitMs: number;
}

const hooks: Hooks[] = [
	{
		name: 'call completed',
		type: TRIGGER,
		parameters: (id) => onAssistant(id),
		limitMs: PUBLISH_LIMIT_MS,
	},
	{
		name: 'inbound call completed',
		type: TRIGGER,
		parameters: (id) => onAssistant(id, 'inboundCallCompleted'),
		limitMs: PUBLISH_LIMIT_MS,
	},
	{
		name: 'mid call tool',
		type: MID_CALL_TOOL_TRIGGER,
		parameters: (id) => toolParameters([id]),
		limitMs: CREATE_TOOL_LIMIT_MS,
	},
];

const lifecycleAt = (
	server: HostileServer,
	version: N8nVersion,
	type: string,
	parameters: INodeParameters,
) => {
	const instance = { id: 'instance-1', n8n: n8nAt(server), webhookUrl: WEBHOOK_URL, warnings: [] };
	const node = new TriggerNode(instance, { type, workflowId: newWorkflowId(), parameters });
	return new Lifecycle(node, version);
};

const outcomeOfHooks = async (
	lifecycle: Lifecycle,
	work: () => Promise<void>,
): Promise<Outcome> => {
	const { thrown } = await outcomeOf(work);
	const { node, staticData } = lifecycle;
	return { thrown, logged: node.instance.warnings, stored: staticData };
};

/** As n8n 2.0, which tries once: each try reads what is there, and may send the write again. */
const publish =
	(type: string, parameters: INodeParameters): Subject['prepare'] =>
	(server) => {
		const lifecycle = lifecycleAt(server, '2.0', type, parameters);
		return Promise.resolve(() => outcomeOfHooks(lifecycle, () => lifecycle.publish()));
	};

/** As n8n 2.41, which calls `delete` for all methods of a webhook at once. */
const unpublish =
	(type: string, parameters: INodeParameters): Subject['prepare'] =>
	async (server) => {
		const lifecycle = lifecycleAt(server, '2.41', type, parameters);
		await lifecycle.publish();
		return () => outcomeOfHooks(lifecycle, () => lifecycle.unpublish());
	};

/** The first assistant that a trigger may change. Each has one of its own. */
export const FIRST_ASSISTANT_ID = 11;

const subjectsOf = ({ name, type, parameters, limitMs }: Hooks, index: number): Subject[] => {
	const id = FIRST_ASSISTANT_ID + 4 * index;
	const publishing = { type, limitMs };
	// After a lost response it reads again, and repeats what was not done.
	const unpublishing = { type, limitMs: UNPUBLISH_LIMIT_MS, writes: 2 };
	return [
		{
			...publishing,
			name: `publish ${name}`,
			isTypical: true,
			prepare: publish(type, parameters(id)),
		},
		{
			...publishing,
			name: `the writes of publish ${name}`,
			isHit: isWrite,
			prepare: publish(type, parameters(id + 1)),
		},
		{
			...unpublishing,
			name: `unpublish ${name}`,
			prepare: unpublish(type, parameters(id + 2)),
		},
		{
			...unpublishing,
			name: `the writes of unpublish ${name}`,
			isHit: isWrite,
			prepare: unpublish(type, parameters(id + 3)),
		},
	];
};

/** The hooks of all triggers that have some. */
export const HOOK_SUBJECTS: Subject[] = hooks.flatMap(subjectsOf);
