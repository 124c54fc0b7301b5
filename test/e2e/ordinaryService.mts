import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import {
	startService,
	type SandboxOptions,
	type Service,
} from '../../sandbox/test/support/service.mts';
import { midCallToolTrigger } from '../support/midCallTools.mts';
import { pollTrigger, trigger, workflow } from '../support/workflows.mts';
import { completeCall, readAssistant, waitForExecution } from './calls.mts';
import { ASSISTANTS, CAROL, seed } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const ELSEWHERE = 'https://crm.example.com/hooks/calls';

/** A service of its own, and a credential for it. */
async function startOrdinary(
	{ cleanup, editor }: E2eEnvironment,
	name: string,
	assume: SandboxOptions['assume'],
) {
	const clock = { mode: 'manual', now: new Date().toISOString() } as const;
	const service = await cleanup.use(startService({ seed: seed(), clock, assume }));
	const credential = await saveCredential(editor, name, { url: service.url, token: CAROL });
	return { service, credential };
}

/** Requests that are no reads, without those of the test. */
const changes = async ({ control }: Service): Promise<string[]> =>
	(await control.requests())
		.filter(({ method }) => method !== 'GET')
		.map(({ operation }) => String(operation));

/** Another system gets the completed calls of an assistant. */
async function connectOtherSystem(service: Service, assistantId: number): Promise<void> {
	const { status } = await service
		.as(CAROL)
		.put(`/user/assistant/${assistantId}`, { is_webhook_active: true, webhook_url: ELSEWHERE });
	assert.equal(status, 200);
}

/** A service that is slow and late, not scaled. `test/nodes/weather/` has the others, with a clock that is turned. */
export async function ordinaryService(environment: E2eEnvironment): Promise<void> {
	const { check, editor } = environment;
	const create = async (name: string, node: Workflow['nodes'][number]): Promise<string> =>
		(await editor.createWorkflow(workflow(name, [node]))).id;

	await check(
		'triggers are published at the first attempt where a page takes 3 s and a change 8 s, and lists are late',
		async () => {
			const { service, credential } = await startOrdinary(environment, 'Slow', {
				'read-time': { from: 'PT3S', to: 'PT3S' },
				'change-time': { from: 'PT8S', to: 'PT8S' },
				'list-lag': 'PT3S',
			});
			const { postCall, replaced, inbound, poll } = ASSISTANTS;
			const states = async () =>
				await Promise.all(
					[postCall, replaced, inbound].map(async (id) => await readAssistant({ service }, id)),
				);
			await connectOtherSystem(service, replaced);
			const before = await states();
			const options = { replaceExisting: true };
			const callWorkflow = await create('Slow', trigger('callCompleted', postCall, credential));
			const ids = [
				callWorkflow,
				await create('Replaces', trigger('callCompleted', replaced, credential, { options })),
				await create('Slow tool', midCallToolTrigger([inbound], credential)),
				await create('Slow poll', pollTrigger(poll, credential)),
			];
			const earlier = (await changes(service)).length;
			await Promise.all(ids.map(async (id) => await editor.publish(id)));
			assert.deepEqual((await changes(service)).slice(earlier).sort(), [
				'createTool',
				'updateAssistant',
				'updateAssistant',
				'updateAssistant',
			]);
			const callId = await completeCall({ service }, postCall);
			await waitForExecution(environment, callWorkflow, callId);
			await Promise.all(ids.map(async (id) => await editor.unpublish(id)));
			assert.deepEqual(await states(), before);
		},
		300_000,
	);
}
