import assert from 'node:assert/strict';

import { ACTION, TRIGGER } from '../../host/n8n/names.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** Two of the lists that the editor requests for fields. The fast tests read the others. */
export async function pickers(environment: E2eEnvironment): Promise<void> {
	const { check, catalogue, alice: credential } = environment;
	const caller = { name: 'Caller (ID 1, outbound)', value: '1' };
	const receiver = { name: 'Receiver (ID 2, inbound)', value: '2' };
	const assistants = { parameter: 'assistantId', method: 'searchAssistants', credential };

	for (const [node, title] of [
		[ACTION, 'node'],
		[TRIGGER, 'trigger'],
	] as const) {
		await check(`the ${title}'s list of assistants contains all, and a search one`, async () => {
			assert.deepEqual(await catalogue.search({ node, ...assistants }), [caller, receiver]);
			assert.deepEqual(await catalogue.search({ node, ...assistants }, 'recei'), [receiver]);
		});
	}

	await check('the list of time zones contains common ones', async () => {
		const zones = { node: ACTION, parameter: 'timezone', method: 'searchTimezones' };
		const parameters = { resource: 'assistant', operation: 'create' };
		const found = await catalogue.search({ ...zones, parameters, credential });
		const values = found.map(({ value }) => value);
		for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']) {
			assert.ok(values.includes(zone), `${zone} is missing among ${values.length}`);
		}
	});
}
