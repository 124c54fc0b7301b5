import assert from 'node:assert/strict';

import { ACTION, TRIGGER } from '../../host/n8n/names.mts';
import type { Checks } from '../support/checks.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** The lists that the editor requests for fields. */
export async function pickers(
	{ check }: Checks,
	{ catalogue, alice: credential }: E2eEnvironment,
): Promise<void> {
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

	await check('the list of tools contains those that assistants use', async () => {
		const parameters = { resource: 'midCallTool', operation: 'update' };
		const tools = { node: ACTION, parameter: 'toolId', method: 'searchTools', parameters };
		const found = await catalogue.search({ ...tools, credential });
		assert.deepEqual(found, [{ name: 'get_weather (ID 1), used by Caller', value: '1' }]);
	});

	await check(
		'the lists of voices, phone numbers and languages contain what assistants use',
		async () => {
			const list = async (parameter: string, method: string) =>
				await catalogue.search({ node: ACTION, parameter, method, credential });
			const by = 'used by Caller and 1 other';
			assert.deepEqual(await list('voiceId', 'searchVoices'), [
				{ name: `Voice 1, ${by}`, value: '1' },
			]);
			assert.deepEqual(await list('phoneNumberId', 'searchPhoneNumbers'), [
				{ name: 'Maybe +4915112345601 (ID 1), used by Caller', value: '1' },
				{ name: 'Phone number (ID 4), used by Receiver', value: '4' },
			]);
			const [first, ...others] = await list('language', 'searchLanguages');
			assert.deepEqual(first, { name: `English, ${by}`, value: 'English' });
			assert.ok(others.some(({ value }) => value === 'German'));
		},
	);

	await check('the list of campaigns says what to do where the service has none', async () => {
		const campaigns = { parameter: 'campaignId', method: 'searchCampaigns', credential };
		assert.deepEqual(await catalogue.search({ node: ACTION, ...campaigns }), [
			{ name: "The service does not list campaigns. Choose 'By ID'.", value: false },
		]);
	});

	await check('the list of time zones contains common ones', async () => {
		const zones = { node: ACTION, parameter: 'timezone', method: 'getTimezones' };
		const parameters = { resource: 'assistant', operation: 'create' };
		const found = await catalogue.options({ ...zones, parameters, credential });
		const values = found.map(({ value }) => value);
		for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']) {
			assert.ok(values.includes(zone), `${zone} is missing among ${values.length}`);
		}
	});
}
