import { expect, it } from '@jest/globals';
import { n8nAt, pageIn } from '../../support/n8n/stubService.mts';
import { stubServersPerTest } from '../../support/n8n/stubServer.mts';
import { EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PER_PAGE = 100;

const startStub = stubServersPerTest();

/** A call that ended an hour ago or before; the highest ID is the newest. */
const endedCall = (id: number) => ({
	id,
	status: 'completed',
	duration: 30,
	created_at: new Date(Date.now() - HOUR_MS - (300 - id) * 4 * MINUTE_MS).toISOString(),
});

const HISTORY = Array.from({ length: 300 }, (_, index) => endedCall(300 - index));

/** Starts a service. @param listAt gives the calls that it lists, at its requests for a page */
const serve = (listAt: (page: number, requests: number) => typeof HISTORY) => {
	const requests = new Map<number, number>();
	return startStub(({ url }) => {
		const page = pageIn(url);
		const count = (requests.get(page) ?? 0) + 1;
		requests.set(page, count);
		const calls = listAt(page, count);
		return {
			body: {
				current_page: page,
				data: calls.slice((page - 1) * PER_PAGE, page * PER_PAGE),
				last_page: Math.ceil(calls.length / PER_PAGE),
				per_page: PER_PAGE,
				total: calls.length,
			},
		};
	});
};

it('no old call starts the workflow when a record is removed while the first poll reads the history', async () => {
	let calls = HISTORY;
	// The first request for the page finds out the time of the service.
	const server = await serve((page, count) => {
		if (page === 2 && count === 2) calls = calls.filter(({ id }) => id !== 299);
		return calls;
	});
	const trigger = new EmulatedPollNode(n8nAt(server));
	await trigger.publish();
	await trigger.poll();
	expect(trigger.startedIds).toEqual([]);
	calls = [endedCall(301), ...calls];
	await trigger.poll();
	expect(trigger.startedIds).toEqual([301]);
});

it('a call that the first poll has skipped starts the workflow when it ends, when a record is removed while it reads the history', async () => {
	let calls = HISTORY.map((call) => (call.id === 200 ? { ...call, status: 'in-progress' } : call));
	// This call moves from the second page to the first.
	const server = await serve((page, count) => {
		if (page === 2 && count === 2) calls = calls.filter(({ id }) => id !== 299);
		return calls;
	});
	const trigger = new EmulatedPollNode(n8nAt(server));
	await trigger.publish();
	await trigger.poll();
	expect(trigger.startedIds).toEqual([]);
	calls = calls.map((call) => (call.id === 200 ? endedCall(200) : call));
	await trigger.poll();
	expect(trigger.startedIds).toEqual([200]);
});

it('no old call starts the workflow when the list stays incomplete at the first poll', async () => {
	let isPublished = false;
	// One of two replicas lacks a call, and answers for each second page.
	const replica = HISTORY.filter(({ id }) => id !== 299);
	const server = await serve((page) => (page === 2 && !isPublished ? replica : HISTORY));
	const trigger = new EmulatedPollNode(n8nAt(server));
	await trigger.publish();
	isPublished = true;
	await trigger.poll();
	expect(trigger.startedIds).toEqual([]);
});
