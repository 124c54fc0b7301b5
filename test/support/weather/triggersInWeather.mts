import { expect } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';

import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../../../host/n8n/names.mts';
import type { JsonObject } from '../../../sandbox/test/support/contract.mts';
import { newAssistant, twoUsers } from '../../../sandbox/test/support/seed.mts';
import { startHostileServer, type HostileServer } from '../hostileService/hostileServer.mts';
import { turnUntil } from '../hostileService/observe.mts';
import { n8nAt, newWorkflowId } from '../hostileService/subjects/subject.mts';
import { seedWith } from '../n8n/testEnvironment.mts';
import { TurnedClock } from '../n8n/turnedClock.mts';
import { EmulatedLifecycle, type N8nVersion } from '../trigger/emulatedLifecycle.mts';
import { startTriggerEnvironment } from '../trigger/testEnvironment.mts';
import { triggerParameters } from '../trigger/toolTrigger.mts';
import { onAssistant, TriggerNode, type TriggerSettings } from '../trigger/triggerNode.mts';
import { handlerFor, registrations, type Conditions } from './conditions.mts';

/** n8n 2.41 gives up a publish after this time. */
export const PUBLISH_MS = 84_000;

/** Longer than any hook takes. */
const HANGS_MS = 4 * PUBLISH_MS;

/** The nodes remember what they did a moment ago, and what they do now is another publish. */
const LATER_MS = 100_000;

export const CRM_URL = 'https://crm.example.org/hooks/calls?key=1';

/** The assistants that triggers change. */
export const ASSISTANT_IDS = [11, 12];
const [FIRST_ID = 0] = ASSISTANT_IDS;

/** A trigger, and how the service is before it is published. */
export interface Subject {
	name: string;
	type: string;
	parameters: INodeParameters;
	prepare?: () => Promise<void>;
}

/** Starts the service for the tests of a file. Call it at the top of the file. */
export async function startTriggersInWeather() {
	const [alice] = twoUsers().users;
	const more = ASSISTANT_IDS.map((id) => ({
		...newAssistant,
		id,
		assistant_name: `Assistant ${id}`,
	}));
	const assistants = [...(alice?.assistants as JsonObject[]), ...more];
	const environment = await startTriggerEnvironment({
		seed: seedWith({ tool_quota: 100, assistants }),
	});
	const { url } = environment.service;

	const replacing = { options: { replaceExisting: true, recording: 'include' } };
	const subjects: Subject[] = [
		{ name: 'completed calls', type: TRIGGER, parameters: onAssistant(FIRST_ID) },
		{
			name: 'completed calls that went to another system',
			type: TRIGGER,
			parameters: onAssistant(FIRST_ID, 'callCompleted', replacing),
			prepare: () => environment.register('callCompleted', CRM_URL, FIRST_ID),
		},
		{
			name: 'inbound calls that went to another system',
			type: TRIGGER,
			parameters: onAssistant(FIRST_ID, 'inboundCallCompleted', replacing),
			prepare: () => environment.register('inboundCallCompleted', CRM_URL, FIRST_ID),
		},
		{
			name: 'a mid call tool of two assistants',
			type: MID_CALL_TOOL_TRIGGER,
			parameters: triggerParameters(ASSISTANT_IDS),
			prepare: () => environment.updateAssistant({ tool_ids: [1] }, FIRST_ID),
		},
	];
	return {
		environment,
		subjects,
		/** What triggers change, as it is at the service. */
		present: async () =>
			registrations(await Promise.all(ASSISTANT_IDS.map((id) => environment.assistant(id)))),
		/** A workflow with a trigger. As n8n 2.0, which tries once, unless it is said otherwise. */
		workflow: (
			{ type, parameters }: Pick<Subject, 'type' | 'parameters'>,
			server: HostileServer,
			version: N8nVersion = '2.0',
			settings: Partial<TriggerSettings> = {},
		): EmulatedLifecycle => {
			const instance = {
				id: 'instance-1',
				n8n: n8nAt(server),
				webhookUrl: 'https://n8n.example.com',
				warnings: [],
			};
			const workflowId = newWorkflowId();
			const node = new TriggerNode(instance, { type, workflowId, parameters, ...settings });
			return new EmulatedLifecycle(node, version);
		},
		/**
		 * Runs a function while the service is as the conditions say, and the clock stands still.
		 *
		 * @param work gets the service, and a function that lets the time of a step pass: it gives how long the
		 * step took, in milliseconds, and the message if it failed. The clock can be turned between steps
		 */
		under: async <Result,>(
			conditions: Conditions,
			work: (server: HostileServer, takes: Takes, clock: TurnedClock) => Promise<Result>,
		): Promise<Result> => {
			const server = await startHostileServer(url);
			try {
				server.turn(handlerFor(conditions));
				using clock = new TurnedClock();
				clock.turnTo(clock.now + LATER_MS);
				const takes: Takes = async (step) => {
					const begin = clock.now;
					const progress: { hasEnded: boolean; failure?: string } = { hasEnded: false };
					void step().then(
						() => Object.assign(progress, { hasEnded: true }),
						(error: unknown) => {
							const failure = error instanceof Error ? error.message : String(error);
							Object.assign(progress, { hasEnded: true, failure });
						},
					);
					await turnUntil(() => progress.hasEnded, clock, server, HANGS_MS);
					expect(progress.hasEnded).toBe(true);
					return { ms: clock.now - begin, failure: progress.failure };
				};
				return await work(server, takes, clock);
			} finally {
				await server.close();
			}
		},
	};
}

/** Lets the time of a step pass. */
type Takes = (step: () => Promise<unknown>) => Promise<{ ms: number; failure?: string }>;
