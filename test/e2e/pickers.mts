import assert from 'node:assert/strict';

import { ACTION, TRIGGER } from '../../host/n8n/names.mts';
import type { Checks } from '../support/checks.mts';
import type { Credentials, E2eEnvironment } from './testEnvironment.mts';

/** The lists that the editor requests for fields. */
export async function pickers(
	{ check }: Checks,
	{ catalogue }: E2eEnvironment,
	{ alice: credential }: Credentials,
): Promise<void> {
	const assistants = { parameter: 'assistantId', method: 'searchAssistants', credential };

	for (const [node, title] of [
		[ACTION, 'node'],
		[TRIGGER, 'trigger'],
	] as const) {
		await check(
			`the ${title}'s list of assistants contains all, and a search finds one`,
			async () => {
				const all = await catalogue.search({ node, ...assistants });
				assert.deepEqual(
					all.results.map(({ name, value }) => [name, String(value)]),
					[
						['Caller (outbound)', '1'],
						['Receiver (inbound)', '2'],
					],
				);
				const found = await catalogue.search({ node, ...assistants }, 'recei');
				assert.deepEqual(
					found.results.map(({ name }) => name),
					['Receiver (inbound)'],
				);
			},
		);
	}

	await check('the list of tools contains those that assistants use', async () => {
		const parameters = { resource: 'tool', operation: 'update' };
		const tools = { node: ACTION, parameter: 'toolId', method: 'searchTools', parameters };
		const { results } = await catalogue.search({ ...tools, credential });
		assert.deepEqual(
			results.map(({ name, value }) => [name, String(value)]),
			[['get_weather', '1']],
		);
	});

	await check('the list of time zones contains common ones', async () => {
		const zones = { node: ACTION, parameter: 'timezone', method: 'getTimezones' };
		const parameters = { resource: 'assistant', operation: 'create' };
		const values = (await catalogue.options({ ...zones, parameters, credential })).map(
			({ value }) => value,
		);
		for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']) {
			assert.ok(values.includes(zone), `${zone} is missing among ${values.length}`);
		}
	});
}
