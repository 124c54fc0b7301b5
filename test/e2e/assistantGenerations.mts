import assert from 'node:assert/strict';

import { getRows } from '../../sandbox/test/support/client.mts';
import { action, start, START, workflow } from '../support/workflows.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const CREATED = {
	...{ resource: 'assistant', operation: 'create', name: 'New', callsDirection: 'receive' },
	...{ engineType: 'pipeline', voiceId: { __rl: true, mode: 'id', value: '1' } },
	...{ language: { __rl: true, mode: 'name', value: 'English' }, llmModel: 'gpt-4o-mini' },
	...{ timezone: { __rl: true, mode: 'name', value: 'Europe/Berlin' }, initialMessage: 'Hello.' },
	...{ systemPrompt: 'Be kind.', callHandling: { endCallToolDescription: 'At the end' } },
};

const UPDATED = {
	...{ resource: 'assistant', operation: 'update' },
	assistantId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	...{ updateFields: { name: 'Renamed' }, callHandling: { maxCallDuration: 60 } },
};

/** Assistants at services of both generations (public-service.md: Table 2). */
export async function assistantGenerations(environment: E2eEnvironment): Promise<void> {
	const { check, editor } = environment;

	for (const service of ['contract', 'current'] as const) {
		const { alice, aliceRef } = await startOwnService(environment, service, { service });
		await check(`an assistant is created and updated at the service ${service}`, async () => {
			const nodes = [action('Create', CREATED, aliceRef), action('Update', UPDATED, aliceRef)];
			const links: Array<[string, string]> = [
				[START, 'Create'],
				['Create', 'Update'],
			];
			const { id } = await editor.createWorkflow(workflow(service, [start(), ...nodes], links));
			const execution = await editor.run(id, START);
			assert.equal(execution.status, 'success', execution.error);
			const query = { per_page: '100' };
			const path = '/user/assistants/get';
			const list = await alice.request('GET', path, { query, ignoreContract: true });
			const record = getRows(list).find(({ name }) => name === 'Renamed');
			assert.equal(record?.type, 'inbound');
			assert.equal(record.max_duration, 60);
			assert.equal(record.system_prompt, 'Be kind.');
			if (service === 'contract') return;
			const endCall = { type: 'end_call', data: { description: 'At the end' } };
			assert.deepEqual(record.tools, [endCall]);
			assert.equal(record.llm_model_id, 2);
		});
	}
}
