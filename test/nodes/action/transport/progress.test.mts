import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import { createRunExecutionData, type INodeExecutionData } from 'n8n-workflow';
import { ACTION } from '../../../../host/n8n/names.mts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { NODE_NAME, n8nWith, type N8n } from '../../../support/n8n/n8n.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';

const startServer = stubServersPerTest();
let lines: string[] = [];

/** The log that n8n gives to nodes. */
function logOf(n8n: N8n) {
	const workflow = n8n.workflow({ nodes: [{ name: NODE_NAME, type: ACTION }], connections: {} });
	const node = workflow.getNode(NODE_NAME);
	if (!node) throw new Error('The workflow has no node');
	const items: INodeExecutionData[] = [];
	const data = { main: [items] };
	return new ExecuteContext(
		workflow,
		node,
		n8n.additionalData(workflow),
		'manual',
		createRunExecutionData(),
		0,
		items,
		data,
		{ node, data, source: null },
		[],
	).logger;
}

beforeEach(() => {
	lines = [];
});
afterEach(() => {
	jest.restoreAllMocks();
	useRealTime();
});

/** Runs 20 items one by one. Each response takes a time, and those of some items are refusals. */
async function logged(msPerItem: number, refused: number[] = []): Promise<string[]> {
	const answers: Array<(answer: StubResponse) => void> = [];
	const server = await startServer(
		(_request, index) => new Promise((resolve) => (answers[index] = resolve)),
	);
	const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'secret-token' });
	jest.spyOn(logOf(n8n), 'info').mockImplementation((line) => void lines.push(line));
	holdTime();
	const { ended } = n8n.startNode({
		parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
		items: people(20),
		settings: { onError: 'continueErrorOutput' },
	});
	for (let item = 0; item < 20; item++) {
		await server.arrived(item + 1);
		await passTime(msPerItem);
		answers[item]?.(
			refused.includes(item)
				? { status: 422, body: { message: 'No.' } }
				: { body: { message: 'Lead created successfully', data: { id: item } } },
		);
	}
	const { output } = await ended;
	expect(output.flat()).toHaveLength(20);
	return lines;
}

it('a run says every five seconds how far it is', async () => {
	expect(await logged(1_000)).toEqual([
		'Voice Assistant Calling: 5 of 20 items done',
		'Voice Assistant Calling: 10 of 20 items done',
		'Voice Assistant Calling: 15 of 20 items done',
		'Voice Assistant Calling: 20 of 20 items done',
	]);
});

it('it says how many items failed', async () => {
	expect(await logged(500, [2, 14])).toEqual([
		'Voice Assistant Calling: 10 of 20 items done, 1 of them failed',
		'Voice Assistant Calling: 20 of 20 items done, 2 of them failed',
	]);
});

it('a short run says nothing', async () => {
	expect(await logged(240)).toEqual([]);
});
