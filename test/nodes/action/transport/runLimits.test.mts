import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject, IExecuteData, INode, INodeParameters } from 'n8n-workflow';
import {
	countSegments,
	describeSegments,
	getEncoding,
} from '../../../../nodes/VoiceAssistantCalling/resources/sms/countSegments.ts';
import { ACTION } from '../../../../host/n8n/names.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { executeNode } from '../../../support/n8n/executeNode.mts';
import { ACTION_AS_TOOL, NODE_NAME } from '../../../support/n8n/n8n.mts';
import {
	leadPerItem,
	OPERATIONS,
	operationNamed,
	type OperationCase,
	people,
} from '../../../support/n8n/operations.mts';
import { MANUAL_TRIGGER } from '../../../support/n8n/package.mts';
import { countSegments as countInSandbox } from '../../../../sandbox/src/domain/sms/countSegments.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent, fault } = await startTestEnvironment();

/** So that the same people can be added again. */
const anyLead = { ...leadPerItem, additionalFields: { onDuplicate: 'createAnyway' } };

const withOptions = (
	options: INodeParameters,
	parameters: INodeParameters = anyLead,
): INodeParameters => ({
	...parameters,
	options,
});

const atMost = (maximumItems: number | string, parameters?: INodeParameters): INodeParameters =>
	withOptions({ maximumItems }, parameters);

const custom: INodeParameters = {
	resource: 'customApiCall',
	operation: 'sendRequest',
	method: 'POST',
	path: '/user/x',
	query: '{"urgent": true}',
	body: '{"id": 1}',
};

const ADVICE =
	"Nothing of this run was sent. Check where the items come from, or raise 'Maximum Items'.";

/** Whether an operation costs money, or cannot be undone. */
const hasLimits = ({ costsMoney, request }: OperationCase) =>
	costsMoney !== undefined || request.method === 'DELETE';

it('the operations that cost money or delete have the options', () => {
	const offered = OPERATIONS.filter(({ fields }) =>
		fields.some(({ options = [] }) => options.some(({ name }) => name === 'dryRun')),
	);
	const spending = OPERATIONS.filter(hasLimits);
	const names = (operations: typeof OPERATIONS) => operations.map(({ name }) => name);
	expect(names(offered)).toEqual(names(spending));
});

describe('Maximum Items', () => {
	it.each([
		[2, people(3)],
		[9_999, people(10_000)],
		['={{ $json.maximum }}', people(3).map((person) => ({ ...person, maximum: '2' }))],
	])('of %s refuses a run of more before the first is sent', async (maximum, items) => {
		const { error } = await n8n.runNode({ parameters: atMost(maximum), items });
		const limit = typeof maximum === 'number' ? maximum : 2;
		expect(error).toMatchObject({
			message: `This run would send ${items.length} items, and 'Maximum Items' is ${limit}`,
			description: expect.stringMatching(
				`^No item succeeded\\.\\nNot sent: items 0–${items.length - 1} \\(.*\\)\\.\\nItems are counted from 0\\.\\n${ADVICE}$`,
			),
			// n8n writes the item behind the message, and this concerns none.
			context: expect.not.objectContaining({ itemIndex: expect.anything() }),
		});
		expect(await sent()).toEqual([]);
	});

	it('lets a run of as many pass, in each execution', async () => {
		for (const items of [people(3), people(3)]) {
			const { error } = await n8n.runNode({ parameters: atMost(3), items });
			expect(error).toBeUndefined();
		}
		expect(await sent()).toHaveLength(6);
	});

	it('counts all runs of the node in a loop, and tells how many were sent before', async () => {
		const toNode = { node: NODE_NAME, type: 'main' as const, index: 0 };
		const run = await n8n.runWorkflow({
			nodes: [
				{ name: 'Start', type: MANUAL_TRIGGER },
				{ name: NODE_NAME, type: ACTION, parameters: atMost(5) },
			],
			connections: { Start: { main: [[toNode, toNode, toNode]] } },
			pinData: { Start: people(2).map((json) => ({ json })) },
		});
		expect(run.data.resultData.error?.message).toBe(
			"This run would send 2 items, after 4 in this execution, and 'Maximum Items' is 5",
		);
		expect(await sent()).toHaveLength(4);
	});

	it('counts two nodes of a workflow apart', async () => {
		const run = await n8n.runWorkflow({
			nodes: [
				{ name: 'Start', type: MANUAL_TRIGGER },
				{ name: 'First', type: ACTION, parameters: atMost(2) },
				{ name: 'Second', type: ACTION, parameters: atMost(2) },
			],
			connections: {
				Start: {
					main: [['First', 'Second'].map((node) => ({ node, type: 'main' as const, index: 0 }))],
				},
			},
			pinData: { Start: people(2).map((json) => ({ json })) },
		});
		expect(run.data.resultData.error).toBeUndefined();
		expect(await sent()).toHaveLength(4);
	});

	it('counts the single calls of an agent together', async () => {
		const node = { id: '1', name: 'AI Agent', type: '', typeVersion: 1, position: [0, 0] };
		const agent = { node: { ...node, parameters: {} }, data: {}, source: null } as IExecuteData;
		const call = async (item: IDataObject) => {
			const options = { type: ACTION_AS_TOOL, parameters: atMost(2), items: [item], agent };
			const [output] = await executeNode(n8n, { ...options, executionId: 'of the agent' });
			return output?.json;
		};
		const outputs = [];
		for (const person of people(4)) outputs.push(await call(person));
		const refused = {
			error: expect.objectContaining({
				result: 'not sent',
				message: "This run would send 1 item, after 2 in this execution, and 'Maximum Items' is 2",
			}),
		};
		const added = expect.objectContaining({ result: 'created' });
		expect(outputs).toEqual([added, added, refused, refused]);
		expect(await sent()).toHaveLength(2);
	});

	it('counts each call of an MCP client by itself', async () => {
		const call = async (items: IDataObject[]) => {
			const options = { type: ACTION_AS_TOOL, parameters: atMost(1), items };
			const output = await executeNode(n8n, { ...options, executionId: null });
			return output.map(({ json: { result, error } }) => result ?? error);
		};
		expect(await call(people(1))).toEqual(['created']);
		expect(await call(people(1))).toEqual(['created']);
		const message = "This run would send 2 items, and 'Maximum Items' is 1";
		const refused = expect.objectContaining({ message });
		expect(await call(people(2))).toEqual([refused, refused]);
		expect(await sent()).toHaveLength(2);
	});

	it('counts a run once that Retry On Fail repeats', async () => {
		await fault({ status: 422, body: { message: 'No' }, skip_first: 1, times: 1 });
		const settings: Partial<INode> = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const parameters = { ...atMost(3), requestOptions: { maxConcurrentRequests: 1 } };
		const { error } = await n8n.runNode({ parameters, items: people(3), settings });
		expect(error).toBeUndefined();
		expect((await sent()).map(({ status }) => status)).toEqual([200, 422, 200, 200]);
	});

	it('refuses an item that is sent although the first one only shows its request', async () => {
		const items = people(2).map((person, index) => ({ ...person, dry: index === 0 }));
		const options = { maximumItems: 1, dryRun: '={{ $json.dry }}' };
		const { error } = await n8n.runNode({ parameters: withOptions(options), items });
		expect(error?.message).toBe(
			"'Maximum Items' counts only items that are sent like the first one",
		);
		expect(await sent()).toEqual([]);
	});

	it('counts custom API calls', async () => {
		const { error } = await n8n.runNode({ parameters: atMost(1, custom), items: [{}, {}] });
		expect(error?.message).toBe("This run would send 2 items, and 'Maximum Items' is 1");
	});

	it('makes each item fail with continue on fail', async () => {
		const settings: Partial<INode> = { onError: 'continueErrorOutput' };
		const { output } = await n8n.runNode({ parameters: atMost(1), items: people(2), settings });
		const failed = expect.objectContaining({ result: 'not sent', description: ADVICE });
		expect(output[1].map(({ json }) => json.error)).toEqual([failed, failed]);
		expect(await sent()).toEqual([]);
	});
});

describe('a wrong option is refused by its name, and nothing is sent', () => {
	it.each([
		['maximumItems', 0, "'Maximum Items' must be a whole number from 1"],
		['maximumItems', 'all', "'Maximum Items' must be a whole number from 1"],
		['maximumItems', '1.5', "'Maximum Items' must be a whole number from 1"],
		['maximumItems', '', "'Maximum Items' is empty"],
		['dryRun', 'yes', "'Dry Run' must be true or false"],
		['dryRun', '', "'Dry Run' is empty"],
		['dryRun', null, "'Dry Run' is empty"],
	])('%s of %j', async (name, value, message) => {
		const parameters = withOptions({ [name]: '={{ $json.value }}' });
		const items = people(2).map((person) => ({ ...person, value }));
		const { error } = await n8n.runNode({ parameters, items });
		expect(error?.message).toBe(message);
		expect(await sent()).toEqual([]);
	});
});

describe('Dry Run', () => {
	const dry = (parameters?: INodeParameters) => withOptions({ dryRun: true }, parameters);

	const COSTS: Record<string, object> = {
		'call: make': { cost: 'a call' },
		'campaign: start': { cost: 'a call per open lead' },
		'lead: create': {
			cost: expect.stringMatching(/^(a call|\d calls) if running$/),
		},
		'lead: update': { cost: 'nothing' },
		'sms: send': {
			...{ cost: '1 SMS segment', segments: 1 },
			...{ encoding: 'GSM-7', unicode_character: null },
		},
	};

	/** Their output has the number of the person. */
	const REACH_PEOPLE = ['call: make', 'lead: create', 'lead: update', 'sms: send'];

	it.each(OPERATIONS.filter(hasLimits))(
		'of $name shows the request of the contract, and sends nothing',
		async ({ name, parameters, request }) => {
			const { output, error } = await n8n.runNode({ parameters: dry(parameters) });
			expect(error).toBeUndefined();
			expect(output[0]).toEqual([
				{
					json: {
						...{ result: 'would be sent', reason: null, item: 0 },
						...(REACH_PEOPLE.includes(name) && {
							phone_number: request.body?.phone_number ?? request.body?.to ?? null,
						}),
						...COSTS[name],
						method: request.method,
						path: request.path.replace('/api', ''),
						body: request.body ?? {},
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(await sent()).toEqual([]);
		},
	);

	it('of an update that can start a call says so', async () => {
		const { parameters } = operationNamed('lead: update');
		const update = { ...parameters, updateFields: { status: 'created' } };
		const { output } = await n8n.runNode({ parameters: dry(update) });
		expect(output[0][0]?.json).toMatchObject({ cost: 'a call if running' });
	});

	it('counts the secondary contacts of a lead', async () => {
		const contact = [{ phoneNumber: '+4915112345690' }, { phoneNumber: '+4915112345691' }];
		const lead = { ...leadPerItem, additionalFields: { secondaryContacts: { contact } } };
		const { output } = await n8n.runNode({ parameters: dry(lead), items: people(1) });
		expect(output[0][0]?.json).toMatchObject({ cost: '3 calls if running' });
	});

	it('can be another one for each item, and a failure stops what would be sent', async () => {
		const items = [
			{ phone: 'nobody', dry: 'TRUE' },
			{ phone: '+4915112345690', dry: 0 },
			{ phone: 'nobody', dry: false },
			{ phone: '+4915112345691', dry: 'false' },
		];
		const parameters = {
			...withOptions({ dryRun: '={{ $json.dry }}' }),
			requestOptions: { maxConcurrentRequests: 1 },
		};
		const { error } = await n8n.runNode({ parameters, items });
		expect(error?.description).toMatch(
			/^Succeeded: item 1\..*\nNot sent: items 0, 2 \(.*\)\.\nNot started: item 3\./,
		);
		expect((await sent()).map(({ body }) => body)).toMatchObject([
			{ phone_number: items[1]?.phone },
		]);
	});

	it('shows more items than *Maximum Items* allows, and does not count them', async () => {
		const parameters = withOptions({ dryRun: true, maximumItems: 1 });
		const { output } = await n8n.runNode({ parameters, items: people(3) });
		expect(output[0]).toHaveLength(3);
	});

	it('shows a custom API call as it is written', async () => {
		const { output } = await n8n.runNode({ parameters: dry(custom) });
		expect(output[0][0]?.json).toEqual({
			...{ result: 'would be sent', reason: null, item: 0 },
			method: 'POST',
			path: '/user/x',
			query: { urgent: true },
			body: { id: 1 },
			cost: 'what the service charges for it',
		});
		expect(await sent()).toEqual([]);
	});

	it('is reported as such when n8n tries a run again', async () => {
		const items = [...people(2), { phone: '' }];
		const { error } = await n8n.runNode({
			parameters: dry(anyLead),
			items,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error?.description).toContain("Would be sent without 'Dry Run': items 0–1.");
		expect(error?.description).not.toContain('Succeeded');
	});

	it('works for an agent', async () => {
		const { output } = await n8n.runNode({
			parameters: dry(operationNamed('sms: send').parameters),
			type: ACTION_AS_TOOL,
		});
		expect(output[0][0]?.json).toMatchObject({ result: 'would be sent', segments: 1 });
		expect(await sent()).toEqual([]);
	});

	it('is told above the output, in place of a warning about what was sent', async () => {
		const start = dry(operationNamed('campaign: start').parameters);
		const { run } = await n8n.runNode({ parameters: start, items: [{}, {}] });
		const message =
			"Dry Run: 2 items were checked, and nothing was sent. Remove 'Dry Run' to send them.";
		expect(run.data.resultData.runData[NODE_NAME]?.[0]?.hints).toEqual([
			{ message, type: 'info', location: 'outputPane' },
		]);
	});
});

describe('the segments of an SMS', () => {
	it.each([
		['Thanks', '1 SMS segment', null],
		['You’re welcome', "1 SMS segment, Unicode because of ’ (write ' instead)", '’'],
		[
			`${'a'.repeat(155)}\u00a0`,
			'3 SMS segments, Unicode because of \u00a0 (write a space instead)',
			'\u00a0',
		],
		['😀', '1 SMS segment, Unicode because of 😀 (leave it out)', '😀'],
	])('say which character makes it Unicode: %s', (text, words, unicode_character) => {
		expect(describeSegments(text)).toBe(words);
		expect(getEncoding(text)).toEqual({
			...{ encoding: unicode_character === null ? 'GSM-7' : 'Unicode', unicode_character },
		});
	});

	it('are those that sms-segments-calculator counts, in any text', () => {
		const character = fc.constantFrom('a', 'é', '€', '[', 'ж', '😀', '\n', ' ', '1', 'Ω', 'ç');
		const plain = fc.constantFrom('a', 'b', 'c', ' ', '€', '{', 'é', '\n');
		const text = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 1, maxLength: 500 });
		fc.assert(
			fc.property(fc.oneof(text(character), text(plain)), (message) => {
				expect(countSegments(message)).toBe(countInSandbox(message));
			}),
		);
	});
});
