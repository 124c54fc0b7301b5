import { afterAll, afterEach, expect, it } from '@jest/globals';
import { readExample } from './example.mts';
import { runExample, startExampleEnvironment } from './testEnvironment.mts';

const environment = await startExampleEnvironment();
const { n8n } = environment;
afterEach(() => environment.reset());
afterAll(() => environment.close());

const example = readExample('add-lead-and-start-campaign.json');

it('adds the contact to the campaign and starts it', async () => {
	const output = await runExample(n8n, example, 'Start by hand');
	expect(await environment.written()).toEqual([
		{
			path: '/api/user/lead',
			body: {
				campaign_id: 1,
				phone_number: '+4915112399907',
				allow_dupplicate: true,
				variables: { customer_name: 'Anna Schmidt', email: 'anna.schmidt@example.com' },
			},
		},
		{ path: '/api/user/campaigns/update-status', body: { campaign_id: 1, action: 'start' } },
	]);
	expect(output['Add the lead']?.map(({ json }) => json)).toEqual([
		expect.objectContaining({ campaign_id: 1, status: 'created' }),
	]);
	expect(output['Start the campaign']?.map(({ json }) => json)).toEqual([
		{ campaign_id: 1, status: 'in-progress' },
	]);
});

it('can be run again, as its note says', async () => {
	await runExample(n8n, example, 'Start by hand');
	await runExample(n8n, example, 'Start by hand');
	expect(await environment.written()).toHaveLength(4);
});
