import { afterAll, afterEach, expect, it } from '@jest/globals';
import { readExample } from './example.mts';
import { runExample, startExampleEnvironment } from './testEnvironment.mts';

const environment = await startExampleEnvironment();
afterEach(() => environment.reset());
afterAll(() => environment.close());

const example = readExample('ask-before-a-campaign-starts.json');

/** Runs the example. @returns what was written to the service */
async function afterDecision(formAnswer: typeof environment.formAnswer) {
	environment.formAnswer = formAnswer;
	const output = await runExample(environment.n8n, example, 'Start by hand');
	return { output, written: await environment.written() };
}

it('starts the campaign when a person approves', async () => {
	const { output, written } = await afterDecision({ Decision: 'Start' });
	expect(written).toEqual([
		{ path: '/api/user/campaigns/update-status', body: { campaign_id: 1, action: 'start' } },
	]);
	expect(output['Start the campaign']?.map(({ json }) => json)).toEqual([
		{ campaign_id: 1, status: 'in-progress' },
	]);
});

it.each([
	['a person declines', { Decision: 'Do not start' }],
	['nobody answers in time', undefined],
])('starts nothing when %s', async (_, formAnswer) => {
	const { output, written } = await afterDecision(formAnswer);
	expect(output).toHaveProperty(['Ask for approval']);
	expect(output).not.toHaveProperty(['Start the campaign']);
	expect(written).toEqual([]);
});
