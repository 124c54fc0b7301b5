import { describe, expect, it } from '@jest/globals';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent, fault } = await startTestEnvironment();
const startServer = stubServersPerTest();

describe('a spreadsheet with wrong rows', () => {
	const rows = ['123', '+4915112345699', '12', ''].map((phone) => ({ phone }));

	it('names the rows that went through, that were refused, and that were not sent', async () => {
		// The service responds after the node has checked all four rows.
		await fault({ operation: 'createLead', delay_ms: 200, times: 3 });
		const { error } = await n8n.runNode({ parameters: leadPerItem, items: rows });
		expect(error).toMatchObject({
			message: "'Phone Number': Invalid phone number",
			description: [
				'Succeeded: item 1. Leave these out when you try again.',
				"Refused: items 0, 2 ('Phone Number': Invalid phone number).",
				"Not sent: item 3 ('Phone Number' is empty).",
				'Items are counted from 0.',
				"The phone number was sent as 123. Add the country code, or set 'Default Country Code'.",
				'Correct the fields named above, then try again.',
			].join('\n'),
			context: { itemIndex: 0 },
		});
		expect(await sent()).toHaveLength(3);
	});

	it('gives an error for each row with continue on fail', async () => {
		const { output } = await n8n.runNode({
			parameters: leadPerItem,
			items: rows,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(output[1].map(({ json, pairedItem }) => [json.error, pairedItem])).toMatchObject([
			[
				{ result: 'refused', message: "'Phone Number': Invalid phone number", httpCode: '422' },
				{ item: 0 },
			],
			[
				{ result: 'refused', message: "'Phone Number': Invalid phone number", httpCode: '422' },
				{ item: 2 },
			],
			[{ result: 'not sent', message: "'Phone Number' is empty", httpCode: null }, { item: 3 }],
		]);
	});
});

describe('a service that gives each item another reason', () => {
	it('is told in part, but every item is named', async () => {
		const service = await startServer(async (_request, index) => {
			// The node starts no item after the first failure.
			await service.arrived(60);
			return { status: 400, body: { message: `Reason ${index}: ${'x'.repeat(400)}` } };
		});
		const { error } = await n8nWith({
			baseUrl: `${service.origin}/api`,
			apiToken: 'a-token',
		}).runNode({
			parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 100 } },
			items: people(60),
		});
		const description = String((error as { description?: unknown } | undefined)?.description);
		expect(description.length).toBeLessThan(12_000);
		expect(description.match(/^Refused: item \d+ \(Reason \d+: x+\)\.$/gm)).toHaveLength(20);
		expect(description).toMatch(/^Refused: items [\d–, ]+ \(other reasons\)\.$/m);
	});

	it('and many fields for one item is told in part', async () => {
		const fields = Array.from({ length: 50_000 }, (_, index) => [`field_${index}`, ['Wrong.']]);
		const service = await startServer(() => ({
			status: 422,
			body: { message: 'Validation failed', errors: Object.fromEntries(fields) as unknown },
		}));
		const { error, run } = await n8nWith({
			baseUrl: `${service.origin}/api`,
			apiToken: 'a-token',
		}).runNode({ parameters: leadPerItem, items: people(1) });
		const lines = String((error as { description?: unknown } | undefined)?.description).split('\n');
		expect(lines.slice(0, 20)).toEqual(
			Array.from({ length: 20 }, (_, index) => `'field_${index}': Wrong.`),
		);
		expect(lines.slice(20)).toEqual([
			'Correct the fields named above, then try again. The service reports 49,980 more.',
		]);
		expect(JSON.stringify(run).length).toBeLessThan(20_000);
	});
});

describe('a run of one item', () => {
	it('does not mention other items', async () => {
		const { error } = await n8n.runNode({ parameters: leadPerItem, items: [{ phone: '123' }] });
		expect(error).toMatchObject({
			message: "'Phone Number': Invalid phone number",
			description:
				"The phone number was sent as 123. Add the country code, or set 'Default Country Code'.\nCorrect the fields named above, then try again.",
		});
	});
});

describe('the message of the service above its field errors', () => {
	const errors = { phone_number: ['No.'], schema: ['Odd.'] };

	it.each(['Validation failed', 'The given data was invalid.'])(
		'is left out: %j',
		async (message) => {
			await fault({ status: 422, body: { message, errors } });
			const { error } = await n8n.runNode({ parameters: leadPerItem, items: people(1) });
			expect(error).toMatchObject({
				message: "'Phone Number': No.",
				description:
					"'Phone Number': No.\n'schema': Odd.\nThe phone number was sent as +4915112346000.\nCorrect the fields named above, then try again.",
			});
		},
	);

	it('comes first if it says more', async () => {
		await fault({ status: 422, body: { message: 'The campaign is full.', errors } });
		const { error } = await n8n.runNode({ parameters: leadPerItem, items: people(1) });
		expect(error).toMatchObject({
			message: "'Phone Number': No.",
			description:
				"The campaign is full.\n'Phone Number': No.\n'schema': Odd.\nThe phone number was sent as +4915112346000.\nCorrect the fields named above, then try again.",
		});
	});
});
