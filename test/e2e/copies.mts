import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openEditor } from '../../host/api/editor.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { startN8n } from '../../host/n8n/startN8n.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { waitFor } from '../../host/process/wait.mts';
import { midCallToolTrigger, respond, TOOL_CALL } from '../support/midCallTools.mts';
import { trigger, workflow } from '../support/workflows.mts';
import {
	completeCall,
	createTriggerWorkflow,
	readWebhookUrls,
	waitForExecution,
} from './calls.mts';
import { getToolIds, ownTool, startToolEnvironment } from './midCallTool/toolEnvironment.mts';
import { ASSISTANTS } from './seed.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const LIMIT_MS = 60_000;

/** n8n is killed while it publishes, and its data are copied to a second n8n. */
export async function copies(environment: E2eEnvironment): Promise<void> {
	const { check, require, cleanup, editor, host, userFolder } = environment;
	const { copyA: assistantId, copyB: killedId, killed: askedId, listenKilled: leftId } = ASSISTANTS;
	const service = await startOwnService(environment, 'copies');
	const ofService = { ...environment, service };
	const urlOf = async (id: number = assistantId) =>
		(await readWebhookUrls({ service }, id)).callCompleted ?? '';
	const tools = await startToolEnvironment(environment, { name: 'Copies', assistants: 1 });
	const nodes = [
		midCallToolTrigger([1], tools.credential, { name: 'of_the_original' }),
		respond('Answer', 'At ten.'),
	];
	const tool = await editor.createWorkflow(workflow('Copied tool', nodes, [[TOOL_CALL, 'Answer']]));
	const id = await createTriggerWorkflow(environment, 'Original', assistantId, service.carolRef);
	const killed = await createTriggerWorkflow(environment, 'Killed', killedId, service.carolRef);
	const asks = trigger('inboundCallStarting', askedId, service.carolRef);
	const { id: killedAsked } = await editor.createWorkflow(workflow('Killed too', [asks]));
	const left = await createTriggerWorkflow(environment, 'Left', leftId, service.carolRef);
	await editor.publish(id);
	await editor.publish(tool.id);
	await editor.publish(left);
	const [url, toolIds] = [await urlOf(), await getToolIds(tools, 1)];

	await require('n8n is killed before its requests to register arrive, and after one to unregister', async () => {
		const isChange = { operation: 'updateAssistant', times: 1 };
		await service.control.fault({ ...isChange, slow_first_byte_ms: LIMIT_MS });
		const unpublishing = editor.unpublish(left).catch(() => undefined);
		await waitFor(
			'the request to unregister',
			LIMIT_MS,
			async () => (await urlOf(leftId)) === '' || undefined,
		);
		const writes = ['updateAssistant', 'enableInboundWebhook'];
		for (const operation of writes) {
			await service.control.fault({ operation, delay_ms: LIMIT_MS, drop: true });
		}
		const publishing = Promise.allSettled(
			[killed, killedAsked].map(async (each) => await editor.publish(each)),
		);
		await waitFor('the requests to register', LIMIT_MS, async () => {
			const requests = await service.control.requests();
			const isOnItsWay = (write: string) =>
				requests.some(({ operation, status }) => operation === write && !status);
			return writes.every(isOnItsWay) || undefined;
		});
		await environment.n8n().kill();
		await Promise.all([publishing, unpublishing]);
		await service.control.clearFaults();
	});
	const copyFolder = join(await temporaryFolder('copy', cleanup), 'n8n');
	await cp(userFolder, copyFolder, { recursive: true });
	// Until the lease of the killed publish ends, n8n 2.41 publishes this workflow no more: 120 s by default.
	await environment.restart({ N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '30' });

	await check('after a kill in an unpublish, publishing registers', async () => {
		// Before the lease of the killed unpublish ends, so that n8n 2.41 does not end it.
		await editor.publish(left);
		assert.match(await urlOf(leftId), /\/webhook\//);
	});

	await check('after a kill in a publish, publishing registers', async () => {
		// n8n 2.0 has registered at its start. n8n 2.41 waits for the end of the lease.
		for (const each of [killed, killedAsked]) await editor.publish(each);
		const registered = async () => (await urlOf(killedId)) || undefined;
		assert.match(await waitFor('the registration', LIMIT_MS, registered), /\/webhook\//);
		const inboundUrl = async () =>
			(await readWebhookUrls({ service }, askedId)).inboundCallCompleted ?? undefined;
		const url = await waitFor('the registration for questions', LIMIT_MS, inboundUrl);
		assert.match(url, /\/webhook\/.*starting/);
	});

	const copy = await startN8n({ host, userFolder: copyFolder, cleanup });
	const copyEditor = openEditor(copy.url);
	assert.ok(await copyEditor.signIn(OWNER));
	const { host: origin } = new URL(environment.url);

	await check(
		'a copy of n8n that unpublishes takes nothing of the original, and logs it',
		async () => {
			await copyEditor.unpublish(id);
			await copyEditor.unpublish(tool.id);
			assert.equal(await urlOf(), url);
			assert.deepEqual(await getToolIds(tools, 1), toolIds);
			const log = await readFile(join(copyFolder, 'n8n.log'), 'utf8');
			assert.match(log, /leaves the webhook URL of the assistant .+ as it is/);
			assert.match(log, /leaves the tool 'of_the_original' .+ as it is/);
		},
	);

	await check('a copy that publishes is refused while the original is published', async () => {
		await assert.rejects(copyEditor.publish(id), { message: new RegExp(`the host ${origin}`) });
		await copyEditor.unpublish(id);
		assert.equal(await urlOf(), url);
		const callId = await completeCall(ofService, assistantId);
		await waitForExecution(ofService, id, callId);
	});

	await check('it takes the calls once the original is not published', async () => {
		// n8n 2.41 calls `delete` for each webhook of the node, n8n 2.0 once.
		await service.control.fault({ operation: 'listAssistants', status: 403, times: 10 });
		await editor.unpublish(id);
		await service.control.clearFaults();
		assert.equal(await urlOf(), url);
		await copyEditor.publish(id);
		assert.match(await urlOf(), new RegExp(`^${copy.url}/`));
		await copyEditor.unpublish(id);
		assert.equal(await urlOf(), '');
	});
	await copy.stop();

	await check('after a change of its address, n8n registers its new one', async () => {
		await editor.publish(id);
		const { port } = new URL(environment.url);
		await environment.restart({ WEBHOOK_URL: `http://localhost:${port}/` });
		await editor.republish(id);
		await editor.republish(tool.id);
		assert.match(await urlOf(), /^http:\/\/localhost:/);
		const { endpoint } = await ownTool(tools, 1);
		assert.match(String(endpoint), /^http:\/\/localhost:/);
		for (const each of [id, killed, killedAsked, left, tool.id]) await editor.unpublish(each);
		await environment.restart();
	});
}
