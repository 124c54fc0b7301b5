import { afterEach, expect, it, jest } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { withoutOrigin } from '../../../support/logLine.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { created, n8nAt, pageOf, startHeldServer } from '../../../support/n8n/stubService.mts';
import { holdTime, passTime, skipWaits, useRealTime } from '../../../support/n8n/time.mts';

const startServer = stubServersPerTest();
afterEach(() => {
	jest.restoreAllMocks();
	useRealTime();
});

type Logger = ExecuteContext['logger'];

/** Collects what the node writes to n8n's log. */
function watchLog(): string[] {
	const lines: string[] = [];
	const logger: Partial<Logger> = { info: (line) => void lines.push(withoutOrigin(line)) };
	jest.spyOn(ExecuteContext.prototype, 'logger', 'get').mockReturnValue(logger as Logger);
	return lines;
}

/** Runs 20 items one by one. Each response takes a time, and those of some items are refusals. */
async function logged(msPerItem: number, refused: number[]): Promise<string[]> {
	const lines = watchLog();
	const { server, answer } = await startHeldServer(startServer);
	holdTime();
	const { ended } = n8nAt(server).startNode({
		parameters: { ...leadPerItem, requestOptions: { maxConcurrentRequests: 1 } },
		items: people(20),
		settings: { onError: 'continueErrorOutput' },
	});
	for (let item = 0; item < 20; item++) {
		await server.arrived(item + 1);
		await passTime(msPerItem);
		const success = { body: created({ id: item }) };
		const failure = { status: 422, body: { message: 'No.' } };
		answer(item, refused.includes(item) ? failure : success);
	}
	const { output } = await ended;
	expect(output.flat()).toHaveLength(20);
	return lines;
}

it.each([
	[
		'says every five seconds how far it is',
		1_000,
		[],
		['5 of 20 items done', '10 of 20 items done', '15 of 20 items done'],
	],
	['says how many items failed', 500, [2, 14], ['10 of 20 items done, 1 of them failed']],
	['that is short says nothing', 240, [], []],
])('a run %s', async (_what, msPerItem, refused, lines) => {
	expect(await logged(msPerItem, refused)).toEqual(lines);
});

it.each([
	[429, '9', ['The run waits 9 s, because the service received too many requests']],
	[503, '9', ['The run waits 9 s, because the service is not available']],
	[429, '4', []],
])('a run that waits says so once: %i, Retry-After %s', async (status, seconds, lines) => {
	const told = watchLog();
	const server = await startServer((_request, index) =>
		index === 0 ? { status, headers: { 'Retry-After': seconds }, body: {} } : { body: pageOf([]) },
	);
	skipWaits();
	const parameters = {
		resource: 'call',
		operation: 'getAll',
		requestOptions: { maxConcurrentRequests: 1 },
	};
	const { error } = await n8nAt(server).runNode({ parameters, items: [{}, {}] });
	expect(error).toBeUndefined();
	expect(told.filter((line) => line.includes('waits'))).toEqual(lines);
});
