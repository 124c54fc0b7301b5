import type { INodeParameters } from 'n8n-workflow';

import { MID_CALL_TOOL_TRIGGER, POLL_TRIGGER, TRIGGER } from '../../../../host/n8n/names.mts';
import type { JsonObject } from '../../../../sandbox/test/support/contract.mts';
import { newAssistant, twoUsers } from '../../../../sandbox/test/support/seed.mts';
import { seedWith } from '../../n8n/testEnvironment.mts';
import { EmulatedLifecycle, type N8nVersion } from '../../trigger/emulatedLifecycle.mts';
import { EmulatedPollNode, onAssistants } from '../../trigger/emulatedPollNode.mts';
import { triggerParameters } from '../../trigger/toolTrigger.mts';
import { onAssistant, TriggerNode } from '../../trigger/triggerNode.mts';
import type { HostileServer, ReceivedRequest } from '../hostileServer.mts';
import {
	n8nAt,
	newWorkflowId,
	observeOutcome,
	PATIENCE_MS,
	SECOND,
	type Subject,
} from './subject.mts';

/** The attempts of a publish, and the `delete` that follows each of them, share a minute (docs/decisions/0016). */
const PUBLISH_LIMIT_MS = 62 * SECOND;

/** n8n 2.41 gives up a workflow after 84 seconds. */
const UNPUBLISH_LIMIT_MS = 80 * SECOND;

const isWrite = ({ method }: ReceivedRequest) => method !== 'GET';

/** The hooks of a trigger type. `toParameters` choose the assistant. */
interface Hooks {
	name: string;
	type: string;
	toParameters: (assistantId: number) => INodeParameters;
	limitMs: number;
}

const hooks: Hooks[] = [
	...(['callCompleted', 'inboundCallCompleted', 'inboundCallStarting'] as const).map((event) => ({
		name: event,
		type: TRIGGER,
		toParameters: (id: number) => onAssistant(id, event),
		limitMs: PUBLISH_LIMIT_MS,
	})),
	{
		name: 'mid call tool',
		type: MID_CALL_TOOL_TRIGGER,
		// The newer generation does not show whether there are others.
		toParameters: (id) => triggerParameters([id], { otherTools: 'none' }),
		limitMs: PUBLISH_LIMIT_MS,
	},
];

/** The first assistant that a trigger may change. Each has one of its own. */
const FIRST_ASSISTANT_ID = 11;

const toSubjects = ({ name, type, toParameters, limitMs }: Hooks, index: number): Subject[] => {
	const firstId = FIRST_ASSISTANT_ID + 4 * index;
	const createLifecycle = (server: HostileServer, version: N8nVersion, assistantId: number) => {
		const webhookUrl = 'https://n8n.example.com';
		const instance = { id: 'instance-1', n8n: n8nAt(server), webhookUrl, warnings: [] };
		const settings = { type, workflowId: newWorkflowId(), parameters: toParameters(assistantId) };
		return new EmulatedLifecycle(new TriggerNode(instance, settings), version);
	};
	const run = async (lifecycle: EmulatedLifecycle, step: 'publish' | 'unpublish') => {
		const { thrown } = await observeOutcome(() => lifecycle[step]());
		return { thrown, logged: lifecycle.node.instance.warnings, stored: lifecycle.staticData };
	};
	const publishing = (assistantId: number) => ({
		type,
		limitMs,
		/** As n8n 2.0, which tries once: each try reads what is there, and may send the write again. */
		prepare: (server: HostileServer) => {
			const lifecycle = createLifecycle(server, '2.0', assistantId);
			return Promise.resolve(() => run(lifecycle, 'publish'));
		},
	});
	const unpublishing = (assistantId: number) => ({
		type,
		limitMs: UNPUBLISH_LIMIT_MS,
		// After a lost response it reads again, and repeats what was not done.
		writes: 2,
		/** As n8n 2.41, which calls `delete` for all methods of a webhook at once. */
		prepare: async (server: HostileServer) => {
			const lifecycle = createLifecycle(server, '2.41', assistantId);
			await lifecycle.publish();
			return () => run(lifecycle, 'unpublish');
		},
	});
	return [
		{ name: `publish ${name}`, isTypical: true, ...publishing(firstId) },
		{ name: `the writes of publish ${name}`, isHit: isWrite, ...publishing(firstId + 1) },
		{ name: `unpublish ${name}`, ...unpublishing(firstId + 2) },
		{ name: `the writes of unpublish ${name}`, isHit: isWrite, ...unpublishing(firstId + 3) },
	];
};

/** Some polls of n8n, which polls once a minute. */
const POLL_LIMIT_MS = 300 * SECOND;

/** No trigger with hooks changes it. */
const POLLED_ASSISTANT_ID = 2;

/** @param before what comes before the call that the poll finds */
const poll = (
	name: string,
	limitMs: number,
	act: (node: EmulatedPollNode) => Promise<unknown>,
	before: (node: EmulatedPollNode) => Promise<void> = () => Promise.resolve(),
): Subject => ({
	name,
	type: POLL_TRIGGER,
	isTypical: name === 'the next poll',
	limitMs,
	patienceMs: PATIENCE_MS,
	prepare: async (server, { control }) => {
		const node = new EmulatedPollNode(n8nAt(server), onAssistants(POLLED_ASSISTANT_ID));
		node.workflowId = newWorkflowId();
		await before(node);
		await control.outbound({ assistant_id: POLLED_ASSISTANT_ID, to: '+4915112345611' });
		await control.advance('PT3M');
		return async () => {
			const { thrown } = await observeOutcome(() => act(node));
			return { thrown, logged: node.warnings, stored: [node.executions, node.database] };
		};
	},
});

const publish = (node: EmulatedPollNode) => node.publish();

/** The hooks of all triggers that have some, and the polls of the poll trigger. */
export const TRIGGER_SUBJECTS: Subject[] = [
	...hooks.flatMap(toSubjects),
	poll('publish the poll trigger', PUBLISH_LIMIT_MS, publish),
	poll('the next poll', POLL_LIMIT_MS, (node) => node.poll(), publish),
	poll('the poll at the start of n8n', PUBLISH_LIMIT_MS, (node) => node.restart(), publish),
	poll('fetch a test event of the poll trigger', POLL_LIMIT_MS, (node) => node.fetchTestEvent()),
];

/** Alice's records, with an assistant for each trigger that changes one. */
export function seedForSubjects(): { users: JsonObject[] } {
	const [alice] = twoUsers().users;
	const more = TRIGGER_SUBJECTS.map((_subject, index) => {
		const id = FIRST_ASSISTANT_ID + index;
		return { ...newAssistant, id, assistant_name: `Assistant ${id}` };
	});
	return seedWith({
		tool_quota: 100,
		assistants: [...(alice?.assistants as JsonObject[]), ...more],
	});
}
