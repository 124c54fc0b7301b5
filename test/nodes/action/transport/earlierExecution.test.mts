import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { useKeyStore } from '../../../support/n8n/keyStore.mts';
import { NODE_NAME, type NodeRun } from '../../../support/n8n/n8n.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { advanceClock } from '../../../support/trigger/letTimePass.mts';
import { onlyInFull } from '../../../support/sample.mts';

useDefaultEngine();
const { n8n, sent, fault } = await startTestEnvironment();
const startStub = stubServersPerTest();
const store = useKeyStore();
beforeAll(store.install);
beforeEach(store.clear);

const PEOPLE = people(5);
const NUMBERS = PEOPLE.map(({ phone }) => phone);

/** One item at a time, so that the third is the first to fail. */
const oneByOne: NodeRun = {
	parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
	items: PEOPLE,
};

/** So that the service refuses nobody who is there. */
const ANYWAY = { additionalFields: { onDuplicate: 'createAnyway' } };

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
		const hints = JSON.stringify(run);
		expect(hints).toContain('Retry: 2 items were not sent again');
		expect(hints).not.toContain('with other values');
		expect(hints).not.toContain('only the ID and the result');
	});

	it.each([
		['whose field is wrong now', { phoneNumber: '={{ $itemIndex === 0 ? "" : $json.phone }}' }],
		['who is on a list now', { options: { doNotCall: String(NUMBERS[0]) } }],
	])('sends nobody again %s in a first Retry, and not in a second', async (_who, changed) => {
		const failed = await failedRun({ status: 422 });
		await fault({ operation: 'createLead', status: 422 });
		const edited = { ...oneByOne, parameters: { ...oneByOne.parameters, ...changed } };
		const first = await n8n.retryNode(edited, failed);
		expect(first.error?.description).toContain('Succeeded: items 0–1. ');
		await n8n.retryNode(oneByOne, first.run);
		const numbers = await numbersSent();
		for (const reached of NUMBERS.slice(0, 2)) {
			expect(numbers.filter((number) => number === reached)).toHaveLength(1);
		}
	});

	it('knows nothing of another run of a loop', async () => {
		const failed = await failedRun({ status: 422 });
		const runs = failed.data.resultData.runData[NODE_NAME] ?? [];
		runs.push(...structuredClone(runs));
		const { error } = await n8n.retryNode(oneByOne, failed);
		expect(error?.message).toContain('already exists in the campaign');
		expect(await numbersSent()).toEqual([...NUMBERS.slice(0, 3), NUMBERS[0]]);
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

	it.each<[string, (place: number) => string]>([
		['the time', () => '{{ $now.toMillis() }}'],
		['the ID of the execution', () => '{{ $execution.id }}'],
	])('sends nobody again because of %s, and says so', async (_what, value) => {
		const variables = { variable: [{ name: 'ref', value: `=${value(0)}` }] };
		const changing = {
			...oneByOne,
			parameters: { ...oneByOne.parameters, variables },
		};
		const failed = await failedRun({ status: 422 }, changing);
		const { error, run } = await n8n.retryNode(changing, failed);
		expect(error).toBeUndefined();
		expect(await numbersSent()).toEqual([...NUMBERS.slice(0, 3), ...NUMBERS.slice(2)]);
		expect(JSON.stringify(run)).toContain('Retry: 2 items were reached before, with other values');
	});

	it('sends nobody again because of a renewed token', async () => {
		const reached: unknown[] = [];
		const server = await startStub(({ authorization, body }) => {
			const { phone_number } = body as IDataObject;
			if (reached.length === 2 && authorization === 'Bearer old') return { status: 401, body: {} };
			reached.push(phone_number);
			return { body: { data: { id: reached.length, phone_number } } };
		});
		const own = n8nAt(server, 'old');
		const { run: failed } = await own.runNode(oneByOne);
		own.credential = { ...own.credential, apiToken: 'new' };
		const { error } = await own.retryNode(oneByOne, failed);
		expect(error).toBeUndefined();
		expect(reached).toEqual(NUMBERS);
	});

	it('sends nobody again whom an earlier try of Retry On Fail has reached', async () => {
		const twice = {
			...oneByOne,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		};
		await fault({ operation: 'createLead', skip_first: 1, times: 1, status: 422 });
		await fault({ operation: 'createLead', skip_first: 1, times: 1, status: 422 });
		const { run: failed, error } = await n8n.runNode(twice);
		expect(error?.description).toContain('Succeeded: item');
		const reached = (await numbersSent()).filter((number) => number === NUMBERS[0]).length;
		await n8n.retryNode(twice, failed);
		const numbers = await numbersSent();
		expect(reached).toBe(1);
		expect(numbers.filter((number) => number === NUMBERS[0])).toHaveLength(1);
		expect(numbers.filter((number) => number === NUMBERS[4])).toHaveLength(1);
	});

	it('sends nobody twice when the first one is tried again twice', async () => {
		const failed = await failedRun({ status: 422 });
		await fault({ operation: 'createLead', skip_first: 1, status: 422 });
		const first = await n8n.retryNode(oneByOne, failed);
		expect(first.error).toBeDefined();
		const second = await n8n.retryNode(oneByOne, failed);
		expect(second.error).toBeUndefined();
		const [one, two, three, four, five] = NUMBERS;
		expect(await numbersSent()).toEqual([one, two, three, three, four, four, five]);
		expect(second.output[0].map(({ json }) => json.result)).toEqual([
			...['created', 'created', 'reached before', 'created', 'created'],
		]);
		const hints = JSON.stringify(second.run);
		expect(hints).toContain('Retry: 2 items were not sent again, because that was done');
		expect(hints).toContain('Retry: 1 item was not sent again, because another Retry');
	});

	it('sends nobody twice when the first execution has sent nothing', async () => {
		await fault({ operation: 'createLead', status: 401 });
		const run = { ...oneByOne, parameters: { ...oneByOne.parameters, ...ANYWAY } };
		const { run: failed } = await n8n.runNode(run);
		await n8n.retryNode(run, failed);
		const reached = await numbersSent();
		await n8n.retryNode(run, failed);
		expect(await numbersSent()).toEqual(reached);
	});

	it('sends nobody twice when the first execution was refused as a whole', async () => {
		const run = { ...oneByOne, parameters: { ...oneByOne.parameters, ...ANYWAY } };
		const limited = { ...run.parameters, options: { maximumItems: 4 } };
		const { run: refused, error } = await n8n.runNode({ ...run, parameters: limited });
		expect(error?.message).toContain('This run would send 5 items');
		await fault({ operation: 'createLead', skip_first: 2, status: 422 });
		await n8n.retryNode(run, refused);
		await n8n.retryNode(run, refused);
		const [one, two, three, four, five] = NUMBERS;
		expect(await numbersSent()).toEqual([one, two, three, three, four, five]);
	});

	it('with Dry Run shows who was reached, and what would be sent of the rest', async () => {
		const failed = await failedRun({ status: 422 });
		const dry = {
			...oneByOne,
			parameters: { ...oneByOne.parameters, options: { dryRun: true } },
		};
		const { output, run } = await n8n.retryNode(dry, failed);
		expect(output[0].map(({ json }) => json.result)).toEqual([
			...['created', 'created', 'would be sent', 'would be sent', 'would be sent'],
		]);
		expect(JSON.stringify(run)).toContain('Dry Run: 3 items were checked');
		expect(await numbersSent()).toHaveLength(3);
	});

	it('has the keys of the user alone where two for each item would not fit', async () => {
		const items = people(5_001);
		const options = { onlyOnce: '={{ $json.phone }}' };
		const keyed: NodeRun = {
			parameters: { ...oneByOne.parameters, options: { ...options, maximumItems: 1 } },
			items,
			mode: 'trigger',
		};
		const { run: refused } = await n8n.runNode(keyed);
		await fault({ operation: 'createLead', skip_first: 1, status: 422 });
		const all = { ...keyed, parameters: { ...keyed.parameters, options } };
		const { error } = await n8n.retryNode(all, refused);
		expect(error?.description).toContain('Succeeded: item 0. ');
		expect(new Set(store.calls.flat())).toEqual(
			new Set(items.slice(0, 2).map(({ phone }) => phone)),
		);
	});

	it('sends nobody twice when the key of Only Once Per is another one each time', async () => {
		const options = { onlyOnce: '={{ $json.phone }} {{ $now.toMillis() }}' };
		const keyed: NodeRun = {
			...oneByOne,
			mode: 'trigger',
			parameters: { ...oneByOne.parameters, ...ANYWAY, options },
		};
		const failed = await failedRun({ status: 422 }, keyed);
		await fault({ operation: 'createLead', skip_first: 1, status: 422 });
		expect((await n8n.retryNode(keyed, failed)).error).toBeDefined();
		await n8n.retryNode(keyed, failed);
		const [one, two, three, four, five] = NUMBERS;
		expect(await numbersSent()).toEqual([one, two, three, three, four, four, five]);
	});

	it('sends nobody twice whom the first Retry reached in a later run of a loop', async () => {
		const run = { ...oneByOne, parameters: { ...oneByOne.parameters, ...ANYWAY } };
		const failed = await failedRun({ status: 422 }, run);
		const runs = failed.data.resultData.runData[NODE_NAME] ?? [];
		runs.push(...structuredClone(runs));
		await n8n.retryNode(run, failed);
		const reached = await numbersSent();
		expect(reached).toHaveLength(8);
		await n8n.retryNode(run, failed);
		expect(await numbersSent()).toEqual(reached);
	});

	it('sends nobody again whom a first try has reached, and whose field is wrong in the second', async () => {
		const reached: unknown[] = [];
		const minute = 60_000;
		const isLater = `$now.toMillis() > ${Date.now() + minute}`;
		let refuses = true;
		const server = await startStub(({ body }) => {
			const { phone_number } = body as IDataObject;
			if (reached.length === 1 && refuses) {
				refuses = false;
				advanceClock(2 * minute);
				return { status: 422, body: {} };
			}
			reached.push(phone_number);
			return { body: { data: { id: reached.length, phone_number } } };
		});
		const own = n8nAt(server);
		const phoneNumber = `={{ $itemIndex === 0 && ${isLater} ? "" : $json.phone }}`;
		const parameters = { ...oneByOne.parameters, phoneNumber };
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { run, error } = await own.runNode({ ...oneByOne, parameters, settings });
		expect(error).toBeUndefined();
		expect(reached).toEqual(NUMBERS);
		await own.retryNode(oneByOne, run);
		expect(reached).toEqual(NUMBERS);
	});

	it('goes on without n8n’s store', async () => {
		const failed = await failedRun({ status: 422 });
		store.failure = new Error('The database is locked');
		const { error } = await n8n.retryNode(oneByOne, failed);
		expect(error).toBeUndefined();
		expect(await numbersSent()).toEqual([...NUMBERS.slice(0, 3), ...NUMBERS.slice(2)]);
	});

	it('leaves nothing of a run that succeeds in the data of the execution', async () => {
		const failed = await failedRun({ status: 422 });
		expect(JSON.stringify(failed.data.executionData?.contextData)).toContain('request');
		const { run } = await n8n.retryNode(oneByOne, failed);
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('request');
	});

	onlyInFull(it)('keeps at most ten megabytes, and sends the one that failed', async () => {
		let refuses = true;
		const reached = new Map<unknown, number>();
		const all = people(300);
		const server = await startStub(({ body }) => {
			const { phone_number } = body as IDataObject;
			if (phone_number === all.at(-1)?.phone && refuses) return { status: 422, body: {} };
			reached.set(phone_number, (reached.get(phone_number) ?? 0) + 1);
			const variables = { note: 'x'.repeat(50_000) };
			return { body: { data: { id: reached.size, phone_number, variables } } };
		});
		const own = n8nAt(server);
		const many = { parameters: leadPerItem, items: all };
		const { run: failed } = await own.runNode(many);
		const stored = JSON.stringify(failed.data.executionData?.contextData);
		expect(stored.length).toBeGreaterThan(9_500_000);
		expect(stored.length).toBeLessThan(10_000_100);
		refuses = false;
		const { error, output, run } = await own.retryNode(many, failed);
		expect(error).toBeUndefined();
		expect(new Set(ids(output[0])).size).toBe(300);
		const hints = JSON.stringify(
			run.data.resultData.runData['Voice Assistant Calling']?.[0]?.hints,
		);
		expect(hints).toContain("'Retry' knows only the ID and the result of");
		expect([reached.size, Math.max(...reached.values())]).toEqual([300, 1]);
	});

	it('stores no token', async () => {
		const failed = await failedRun({ status: 422 });
		expect(JSON.stringify(failed)).not.toContain(n8n.credential.apiToken);
	});
});
