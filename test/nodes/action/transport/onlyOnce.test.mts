import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { useKeyStore } from '../../../support/n8n/keyStore.mts';
import type { NodeRun } from '../../../support/n8n/n8n.mts';
import { leadPerItem, OPERATIONS, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { onlyInFull } from '../../../support/sample.mts';

useDefaultEngine();
const { n8n, sent, fault } = await startTestEnvironment();
const startStub = stubServersPerTest();
const store = useKeyStore();
beforeAll(store.install);
beforeEach(store.clear);

const PEOPLE = people(3);
const NUMBERS = PEOPLE.map(({ phone }) => phone);

/** A run of a published workflow, each item with its number as the key. */
const once = (options: INodeParameters = {}, others: Partial<NodeRun> = {}): NodeRun => ({
	parameters: { ...leadPerItem, options: { onlyOnce: '={{ $json.phone }}', ...options } },
	items: PEOPLE,
	mode: 'trigger',
	...others,
});

const numbersSent = async () =>
	(await sent()).map(({ body }) => (body as IDataObject).phone_number).toSorted();

const results = (items: INodeExecutionData[]) => items.map(({ json }) => json.result);

const DONE = 'done before';

describe('Only Once Per', () => {
	it('is there for all operations that cost money', () => {
		const offered = OPERATIONS.filter(({ fields }) =>
			fields.some(({ options = [] }) => options.some(({ name }) => name === 'onlyOnce')),
		);
		const costly = OPERATIONS.filter(({ costsMoney }) => costsMoney !== undefined);
		expect(offered.map(({ name }) => name)).toEqual(costly.map(({ name }) => name));
	});

	it('sends an item in one execution, and not in the next', async () => {
		const first = await n8n.runNode(once());
		expect(results(first.output[0])).toEqual(['created', 'created', 'created']);
		const [one, ...others] = PEOPLE;
		const items = [{ ...one, phone: '+4915188888888' }, ...others];
		const second = await n8n.runNode(once({}, { items }));
		expect(second.error).toBeUndefined();
		expect(results(second.output[0])).toEqual(['created', DONE, DONE]);
		expect(second.output[0][1]).toEqual({
			json: { result: DONE, key: NUMBERS[1] },
			pairedItem: { item: 1 },
		});
		expect(await numbersSent()).toEqual([...NUMBERS, '+4915188888888'].toSorted());
		expect(JSON.stringify(second.run)).toContain('Only Once Per: 2 items were not sent');
	});

	it('sends an item once in a run that has it twice, and in two runs at the same moment', async () => {
		const items = [...PEOPLE, ...PEOPLE];
		const ends = await Promise.all([
			n8n.runNode(once({}, { items })),
			n8n.runNode(once({}, { items })),
		]);
		expect(await numbersSent()).toEqual(NUMBERS.toSorted());
		const all = ends.flatMap(({ output }) => results(output[0]));
		expect(all.filter((result) => result === 'created')).toHaveLength(3);
		expect(all.filter((result) => result === DONE)).toHaveLength(9);
	});

	it('stores no more keys at once than requests may be sent at once', async () => {
		const parameters = { ...once().parameters, requestOptions: { maxConcurrentRequests: 2 } };
		await n8n.runNode(once({}, { parameters, items: people(20) }));
		// The last call stores all keys once more.
		const calls = store.calls.slice(0, -1);
		expect(calls.flat()).toHaveLength(20);
		expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(2);
	});

	it.each([
		['after the other', 1],
		['at the same time', 2],
	])('sends again what the service refused, also to a twin %s', async (_when, atOnce) => {
		await fault({ operation: 'createLead', status: 422 });
		const refused = once({}, { settings: { onError: 'continueErrorOutput' } });
		const requestOptions = { maxConcurrentRequests: atOnce };
		const parameters = { ...refused.parameters, requestOptions };
		const items = [PEOPLE[0] ?? {}, PEOPLE[0] ?? {}];
		const { output } = await n8n.runNode({ ...refused, parameters, items });
		expect(output[1]).toHaveLength(1);
		expect(results(output[0])).toEqual(['created']);
		expect(await numbersSent()).toHaveLength(2);
	});

	it.each([
		{ drop: 'after' },
		{ status: 200, body: '' },
		{ status: 200, body: 'Queued' },
		{ status: 200, body: [] },
		{ status: 200, body: { message: 'Invalid phone number' } },
		{ status: 200, body: { message: 'Insufficient balance', data: null } },
	])('does not send again what the service may have done: %j', async (rule) => {
		await fault({ operation: 'createLead', ...rule });
		const items = PEOPLE.slice(0, 1);
		const lost = await n8n.runNode(once({}, { items }));
		expect(lost.error).toBeDefined();
		const { output } = await n8n.runNode(once({}, { items }));
		expect(results(output[0])).toEqual([DONE]);
		expect(await numbersSent()).toHaveLength(1);
	});

	it('does not send again a lead whose message has the words of a duplicate', async () => {
		const message =
			'Lead created successfully, already in the queue. This number already exists in another campaign.';
		const body = { message, data: { id: 77, status: 'created' } };
		await fault({ operation: 'createLead', status: 200, body });
		const items = PEOPLE.slice(0, 1);
		const { output } = await n8n.runNode(once({}, { items }));
		expect(output[0]).toMatchObject([{ json: { result: 'created', id: 77 } }]);
		expect(results((await n8n.runNode(once({}, { items }))).output[0])).toEqual([DONE]);
		expect(await numbersSent()).toHaveLength(1);
	});

	it('says again whom it held back when n8n tries a run again', async () => {
		await n8n.runNode(once({}, { items: PEOPLE.slice(0, 1) }));
		const items = [...PEOPLE.slice(0, 1), { ...PEOPLE[1], phone: '' }];
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { error } = await n8n.runNode(once({}, { items, settings }));
		expect(error?.description).toContain("Sent before, see 'Only Once Per': item 0.");
		expect(error?.description).not.toContain('Succeeded');
	});

	it('is refused for more items than n8n remembers', async () => {
		const items = Array.from({ length: 10_001 }, (_, id) => ({
			phone: `+49151${10_000_000 + id}`,
		}));
		const { error } = await n8n.runNode(once({}, { items }));
		expect(error?.message).toBe("'Only Once Per' remembers 10,000 values, and 10,001 items came");
		expect(await sent()).toEqual([]);
	});

	onlyInFull(it)(
		'forgets nobody of a run before its end, and says that the store is full',
		async () => {
			const phones = Array.from({ length: 10_020 }, (_, id) => `+49151${10_000_000 + id}`);
			store.before = phones.slice(0, 10_000);
			const parameters = { ...once().parameters, requestOptions: { maxConcurrentRequests: 1 } };
			const run = async (from: number, to: number) => {
				const items = phones.slice(from, to).map((phone) => ({ phone }));
				return await n8n.runNode(once({}, { items, parameters }));
			};
			const newest = await run(9_990, 10_020);
			const isDone = (result: unknown) => result === DONE;
			expect(results(newest.output[0]).filter(isDone)).toHaveLength(10);
			expect(JSON.stringify(newest.run)).toContain(
				'and has 10,000 now. It forgets the oldest ones',
			);
			// What is run again repeats only what was forgotten, and drives out nothing that comes after it.
			const oldest = await run(0, 40);
			expect(results(oldest.output[0]).map(isDone)).toEqual(
				phones.slice(0, 40).map((_, id) => id >= 20),
			);
		},
	);

	it('takes a key back when the execution is canceled before its request leaves', async () => {
		const server = await startStub(() => ({ body: { data: { id: 1 } } }));
		const own = n8nAt(server);
		const running = own.startNode(once());
		store.beforeStored = () => {
			running.cancel();
		};
		await running.ended;
		expect(server.requests).toEqual([]);
		store.beforeStored = undefined;
		const { output } = await own.runNode(once());
		expect(results(output[0])).toEqual(['created', 'created', 'created']);
	});

	it('shows why the service did nothing when its key cannot be taken back', async () => {
		await fault({ operation: 'createLead', status: 422, body: { message: 'No credit.' } });
		store.removalFailure = new Error('SQLITE_BUSY');
		const { error } = await n8n.runNode(once({}, { items: PEOPLE.slice(0, 1) }));
		expect(error?.message).toBe('No credit.');
	});

	it('keeps its keys where another process overwrites them during the run', async () => {
		const parameters = { ...once().parameters, requestOptions: { maxConcurrentRequests: 1 } };
		store.overwrittenAfter = 2;
		const first = await n8n.runNode(once({}, { parameters }));
		expect(results(first.output[0])).toEqual(['created', 'created', 'created']);
		expect(results((await n8n.runNode(once())).output[0])).toEqual([DONE, DONE, DONE]);
	});

	it('neither looks nor stores in the editor, and in a dry run', async () => {
		await n8n.runNode(once({}, { mode: 'manual' }));
		const dry = await n8n.runNode(once({ dryRun: true }));
		expect(results(dry.output[0])).toEqual(Array(3).fill('would be sent'));
		expect(store.calls).toEqual([]);
		const { output } = await n8n.runNode(
			once({}, { settings: { onError: 'continueErrorOutput' } }),
		);
		expect(results(output[0])).not.toContain(DONE);
	});

	it.each([
		['is empty', ' '],
		['is empty', '={{ $json.nothing }}'],
		['cannot be chosen by a model', "={{ $fromAI('key', 'the key') }}"],
		['cannot be chosen by a model', "={{ $fromai('key') }}"],
	])('refuses a value that %s: %j', async (problem, onlyOnce) => {
		const { error } = await n8n.runNode(once({ onlyOnce }));
		expect(error?.message).toContain(`'Only Once Per' ${problem}`);
		expect(await sent()).toEqual([]);
	});

	it.each([
		{ count: 1, atOnce: 1 },
		{ count: 10, atOnce: 10 },
	])(
		'ends where one account waits for its rate limit, and another has the same people: %j',
		async (given) => {
			const { count, atOnce } = given;
			let refusals = 0;
			const server = await startStub(({ authorization, body }) =>
				authorization === 'Bearer A' && refusals++ < count
					? { status: 429, body: { message: 'Too many requests' } }
					: { body: { data: { id: 1, ...(body as IDataObject) } } },
			);
			const ended = await n8nAt(server, '={{ $json.token }}').runNode(
				once(
					{},
					{
						parameters: { ...once().parameters, requestOptions: { maxConcurrentRequests: atOnce } },
						items: ['A', 'B'].flatMap((token) => people(count).map((each) => ({ ...each, token }))),
					},
				),
			);
			expect(results(ended.output[0]).filter((result) => result === 'created')).toHaveLength(count);
			expect(results(ended.output[0]).filter((result) => result === DONE)).toHaveLength(count);
			expect(server.requests).toHaveLength(2 * count);
		},
	);

	it('sends no twin after the failure that ends the run', async () => {
		await fault({ operation: 'createLead', status: 402 });
		const items = Array.from({ length: 3 }, () => PEOPLE[0] ?? {});
		const { error } = await n8n.runNode(once({}, { items }));
		expect(error?.description).toContain('Not started: items 1–2');
		expect(await numbersSent()).toHaveLength(1);
	});

	it('sends nothing when n8n cannot store the value', async () => {
		store.failure = new Error('FOREIGN KEY constraint failed');
		const message = 'n8n could not store that this item is being sent';
		const settings = { onError: 'continueErrorOutput' } as const;
		const twins = [...PEOPLE.slice(0, 1), ...PEOPLE.slice(0, 1)];
		const { output } = await n8n.runNode(once({}, { items: twins, settings }));
		expect(output[0]).toEqual([]);
		const refused = { error: expect.objectContaining({ message }) };
		expect(output[1].map(({ json }) => json)).toMatchObject([refused, refused]);
		expect(await sent()).toEqual([]);
	});

	it('lets a GET of Custom API Call through', async () => {
		const parameters = {
			...{ resource: 'customApiCall', operation: 'sendRequest', path: '/user/me' },
			options: { onlyOnce: 'x' },
		};
		const run = once({}, { parameters, items: [{}] });
		await n8n.runNode(run);
		await n8n.runNode(run);
		expect(await sent()).toHaveLength(2);
	});
});
