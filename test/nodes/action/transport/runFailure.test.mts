import { expect, it } from '@jest/globals';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent, fault } = await startTestEnvironment();
const startServer = stubServersPerTest();

it('a spreadsheet with wrong rows is told by the rows that went through, were refused, or were not sent', async () => {
	const rows = ['123', '+4915112345699', '12', ''].map((phone) => ({ phone }));
	// The service responds after the node has checked all four rows.
	await fault({ operation: 'createLead', delay_ms: 200, times: 3 });
	const { error } = await n8n.runNode({ parameters: leadPerItem, items: rows });
	expect(error).toMatchObject({
		message: "'Phone Number': Invalid phone number",
		description: [
			"Succeeded: item 1. Leave these out when you try again, as 'Retry' in the list of executions does.",
			"Refused: items 0, 2 ('Phone Number': Invalid phone number).",
			"Not sent: item 3 ('Phone Number' is empty).",
			'Items are counted from 0.',
			'The phone number was sent as 123. It is too short. Check its digits.',
			'Correct this field, then try again.',
		].join('\n'),
		context: { itemIndex: 0 },
	});
	expect(await sent()).toHaveLength(3);
});

/** The lines of the description of an error. */
const getLines = (error: unknown) =>
	String((error as { description?: unknown } | undefined)?.description).split('\n');

it('a service that gives each item another reason is told in part, but every item is named', async () => {
	const server = await startServer(async (_request, index) => {
		// The more requests succeed, the more run at the same time.
		if (index < 50) return { body: { message: 'Lead created successfully', data: { id: index } } };
		// The node starts no item after the first failure.
		await server.arrived(110);
		return { status: 400, body: { message: `Reason ${index}: ${'x'.repeat(400)}` } };
	});
	const { error } = await n8nAt(server).runNode({
		parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 100 } },
		items: people(110),
	});
	const lines = getLines(error);
	expect(lines.join().length).toBeLessThan(12_000);
	const isReason = (line: string) => /^Refused: item \d+ \(Reason \d+: x+\)\.$/.test(line);
	expect(lines.filter(isReason)).toHaveLength(20);
	expect(lines.join('\n')).toMatch(/^Refused: items [\d–, ]+ \(other reasons\)\.$/m);
});

it.each([
	['Validation failed', []],
	['The given data was invalid.', []],
	['The campaign is full.', ['The campaign is full.']],
])('%j comes before the errors of fields only if it says more', async (message, first) => {
	const errors = { phone_number: ['No.'], schema: ['Odd.'] };
	await fault({ status: 422, body: { message, errors } });
	const { error } = await n8n.runNode({ parameters: leadPerItem, items: people(1) });
	expect(error?.message).toBe("'Phone Number': No.");
	expect(getLines(error)).toEqual([
		...first,
		"'Phone Number': No.",
		"'schema': Odd.",
		'The phone number was sent as +4915112346000.',
		'Correct these fields, then try again.',
	]);
});
