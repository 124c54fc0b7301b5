import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { ALICE } from '../../sandbox/test/support/seed.mts';
import {
	startService,
	type SandboxOptions,
	type Service,
} from '../../sandbox/test/support/service.mts';
import { midCallToolTrigger } from '../support/midCallTools.mts';
import { action, pollTrigger, trigger, workflow } from '../support/workflows.mts';
import { completeCall, readAssistant, waitForExecution } from './calls.mts';
import { runNode } from './runNode.mts';
import { ASSISTANTS, CAROL, seed } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const ELSEWHERE = 'https://crm.example.com/hooks/calls';
const LEADS = 80;

/** A service of its own, and a credential for it. */
async function startOrdinary(
	{ cleanup, editor }: E2eEnvironment,
	name: string,
	assume: SandboxOptions['assume'],
	token = CAROL,
) {
	const clock = { mode: 'manual', now: new Date().toISOString() } as const;
	const service = await cleanup.use(startService({ seed: seed(), clock, assume }));
	const credential = await saveCredential(editor, name, { url: service.url, token });
	return { service, control: service.control, credential };
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

/** Services that are slow and late, allow few requests, and do not tell everything, not scaled. */
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

	await check('a webhook that the service does not show stays where it is', async () => {
		const { service, credential } = await startOrdinary(environment, 'Hides URLs', {
			'missing-fields': { assistant: ['webhook_url'] },
		});
		const { taken } = ASSISTANTS;
		await connectOtherSystem(service, taken);
		const before = await readAssistant({ service }, taken);
		const id = await create('Hidden', trigger('callCompleted', taken, credential));
		await assert.rejects(editor.publish(id), /does not show whether .* 'Replace Existing Webhook'/);
		await editor.unpublish(id);
		assert.deepEqual(await readAssistant({ service }, taken), before);
	});

	await check(`${LEADS} leads are added once each where a service takes ten a second`, async () => {
		const limit = { 'rate-limit': { requests: 10, per: 'PT1S' } };
		const { control, credential } = await startOrdinary(environment, 'Limited', limit, ALICE);
		const parameters = {
			resource: 'lead',
			operation: 'create',
			campaignId: { __rl: true, mode: 'id', value: '1' },
			phoneNumber: '={{ $json.phone }}',
		};
		const people = Array.from({ length: LEADS }, (_, index) => ({
			phone: `+4915112347${100 + index}`,
		}));
		const { status, error } = await runNode(
			environment,
			action('Add', parameters, credential),
			people,
		);
		assert.equal(status, 'success', error);
		const sent = (await control.requests()).filter(({ operation }) => operation === 'createLead');
		const accepted = sent.filter((request) => request.status === 200);
		assert.equal(accepted.length, LEADS);
		assert.ok(sent.length - accepted.length <= LEADS / 2, `${sent.length} requests`);
	});

	await check(
		'an SMS that a gateway answered with 408 is not sent again by Retry On Fail',
		async () => {
			const gateway = { 'gateway-timeouts': 1 };
			const { control, credential } = await startOrdinary(environment, 'Gateway', gateway, ALICE);
			const parameters = {
				resource: 'sms',
				operation: 'send',
				phoneNumberId: { __rl: true, mode: 'id', value: '1' },
				to: '+4915112347000',
				body: 'Hello',
			};
			const node = { ...action('Send', parameters, credential), retryOnFail: true, maxTries: 3 };
			const { status, error } = await runNode(environment, node);
			assert.equal(status, 'error');
			assert.match(String(error), /may have been carried out/);
			assert.equal((await control.messages()).length, 1);
		},
	);
}
