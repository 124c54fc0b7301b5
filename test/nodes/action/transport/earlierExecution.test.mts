import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import type { NodeRun } from '../../../support/n8n/n8n.mts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { BOB } from '../../../../sandbox/test/support/seed.mts';

useDefaultEngine();
const { n8n, sent, fault } = await startTestEnvironment();

const PEOPLE = people(5);
const NUMBERS = PEOPLE.map(({ phone }) => phone);

/** One item at a time, so that the third is the first to fail. */
const oneByOne: NodeRun = {
	parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
	items: PEOPLE,
};

const numbersSent = async () =>
	(await sent()).map(({ body }) => (body as IDataObject).phone_number);

const ids = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);

/** An execution in which the answer to the third item differs. */
async function failedRun(answer: IDataObject, run = oneByOne) {
	await fault({ operation: 'createLead', skip_first: 2, ...answer });
	const { run: failed, error } = await n8n.runNode(run);
	expect(error).toBeDefined();
	expect(await numbersSent()).toEqual(NUMBERS.slice(0, 3));
	return failed;
}

describe('Retry of an execution that failed', () => {
	it('sends only what the service has not taken', async () => {
		const failed = await failedRun({ status: 422 });
		const { output, error, run } = await n8n.retryNode(oneByOne, failed);
		expect(error).toBeUndefined();
		expect(await numbersSent()).toEqual([...NUMBERS.slice(0, 3), ...NUMBERS.slice(2)]);
		expect(new Set(ids(output[0])).size).toBe(5);
		expect(output[0].map(({ pairedItem }) => pairedItem)).toEqual(
			NUMBERS.map((_, item) => ({ item })),
		);
		expect(JSON.stringify(run)).toContain('Retry: 2 items were not sent again');
	});

	it('sends the rest, and not what the service may have taken, however often it is pressed', async () => {
		const failed = await failedRun({ drop: 'after' });
		const first = await n8n.retryNode(oneByOne, failed);
		expect(await numbersSent()).toEqual(NUMBERS);
		expect(first.error?.description).toContain('Succeeded: items 0–1, 3–4.');
		expect(first.error?.description).toContain('Sent, but the outcome is unknown: item 2');
		const second = await n8n.retryNode(oneByOne, first.run);
		expect(await numbersSent()).toEqual(NUMBERS);
		expect(second.error?.message).toBe(first.error?.message);
	});

	it('sends what has other values now, and says so', async () => {
		const number = "'+49151' + (10_000_000 + Number($execution.id))";
		const phoneNumber = `={{ $itemIndex === 0 ? ${number} : $json.phone }}`;
		const changing = { ...oneByOne, parameters: { ...oneByOne.parameters, phoneNumber } };
		await fault({ operation: 'createLead', skip_first: 2, status: 422 });
		const failed = await n8n.runNode(changing);
		const { run } = await n8n.retryNode(changing, failed.run);
		const numbers = await numbersSent();
		expect(numbers.slice(1, 3)).toEqual(NUMBERS.slice(1, 3));
		expect(numbers.slice(4)).toEqual(NUMBERS.slice(2));
		expect(numbers[3]).not.toBe(numbers[0]);
		expect(JSON.stringify(run)).toContain(
			'Retry: 1 item was sent again, because the values differ',
		);
	});

	it('sends all to another account', async () => {
		const failed = await failedRun({ status: 422 });
		n8n.credential = { ...n8n.credential, apiToken: BOB };
		const { error } = await n8n.retryNode(oneByOne, failed);
		// Bob does not have the campaign.
		expect(error?.message).toContain('Campaign');
		expect(await numbersSent()).toEqual([...NUMBERS.slice(0, 3), NUMBERS[0]]);
	});

	it('leaves nothing of a run that succeeds in the data of the execution', async () => {
		const failed = await failedRun({ status: 422 });
		expect(JSON.stringify(failed.data.executionData?.contextData)).toContain('request');
		const { run } = await n8n.retryNode(oneByOne, failed);
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('request');
	});

	it('stores no token', async () => {
		const failed = await failedRun({ status: 422 });
		expect(JSON.stringify(failed)).not.toContain(n8n.credential.apiToken);
	});
});
