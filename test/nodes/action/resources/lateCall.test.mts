import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../../../support/n8n/operations.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt, pageIn, pageOf } from '../../../support/n8n/stubService.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';

/** A webhook can come before the record of its call: calls 1 to 250 are listed, and 251 some seconds later. */
const startServer = stubServersPerTest();
beforeEach(skipWaits);
afterEach(useRealTime);

const GET: INodeParameters = { resource: 'call', operation: 'get' };
const DOWNLOAD: INodeParameters = { resource: 'call', operation: 'downloadRecording' };

const record = (id: number) => ({ id, status: 'completed', recording_url: 'ftp://files.example' });

/**
 * Starts a service.
 *
 * @param listedAfterMs when the newest call is there
 * @param givesOne whether it gives a call alone
 */
async function listing(
	listedAfterMs: number,
	givesOne: boolean,
	isNewestFirst = true,
	removed = 0,
) {
	const listedAt = Date.now() + listedAfterMs;
	return await startServer(({ url }) => {
		const last = Date.now() >= listedAt ? 251 : 250;
		const [, id] = /\/calls\/(\d+)/.exec(url) ?? [];
		if (id !== undefined) {
			if (!givesOne) return { status: 404, body: { message: 'The route could not be found.' } };
			if (Number(id) > last) return { status: 404, body: { message: 'Call not found' } };
			return { body: record(Number(id)) };
		}
		const rows = Array.from({ length: last }, (_, index) => record(index + 1)).filter(
			({ id }) => id !== removed,
		);
		if (isNewestFirst) rows.reverse();
		const page = pageIn(url);
		const more = { current_page: page, last_page: 3, total: rows.length };
		return { body: pageOf(rows.slice((page - 1) * 100, page * 100), more) };
	});
}

/** Gets calls. @returns what came, how long it took, and how many requests */
async function get(
	server: Awaited<ReturnType<typeof listing>>,
	ids: unknown[],
	more: INodeParameters = GET,
) {
	const start = Date.now();
	const { output, error } = await n8nAt(server).runNode({
		parameters: { ...more, callId: byId('={{ $json.id }}') },
		items: ids.map((id) => ({ id })) as never,
		settings: { onError: 'continueErrorOutput' },
	});
	expect(error).toBeUndefined();
	const [found = [], failed = []] = output.map((items) => items.map(({ json }) => json));
	const seconds = (Date.now() - start) / 1_000;
	return { found, failed, seconds, requests: server.requests.length };
}

const notFound = expect.objectContaining({
	error: expect.objectContaining({ message: expect.stringContaining('Call not found') }),
});

describe.each([true, false])('a service that gives a call alone: %s', (givesOne) => {
	it.each([2_000, 8_000])('a call that is there %i ms later is found', async (ms) => {
		for (const isNewestFirst of [true, false]) {
			const server = await listing(ms, givesOne, isNewestFirst);
			const { found, seconds } = await get(server, [251]);
			expect(found).toEqual([expect.objectContaining({ id: 251, outcome: 'answered' })]);
			expect(seconds).toBeGreaterThanOrEqual(ms / 1_000);
			expect(seconds).toBeLessThan(15);
		}
	});

	it('a recording is looked for after the call is there', async () => {
		const { failed } = await get(await listing(8_000, givesOne), [251], DOWNLOAD);
		expect(JSON.stringify(failed)).toContain('its address does not start with https://');
	});

	it('a call that never comes is not found some seconds later, for all items at once', async () => {
		const ids = Array.from({ length: 50 }, (_, index) => 251 + index);
		const { failed, seconds, requests } = await get(await listing(Infinity, givesOne), ids);
		expect(failed).toEqual(ids.map(() => notFound));
		expect(seconds).toBeLessThan(20);
		expect(requests).toBeLessThan(300);
	});
});

it('a call that is older than the newest one, or far newer, is not waited for', async () => {
	// Its list has no call 7.
	const server = await listing(0, false, true, 7);
	const { failed, seconds } = await get(server, [7, 999_999]);
	expect([failed, seconds]).toEqual([[notFound, notFound], 0]);
});

it('a call is not waited for in a list that ends on a day', async () => {
	const options = { dateTo: '2026-01-31' };
	const { failed, seconds } = await get(await listing(Infinity, false), [251], { ...GET, options });
	expect([failed, seconds]).toEqual([[notFound], 0]);
});
