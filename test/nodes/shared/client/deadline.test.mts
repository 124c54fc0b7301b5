import { afterEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { Deadline } from '../../../../nodes/shared/client/deadline.ts';
import { requestWithRetry } from '../../../../nodes/shared/client/retry.ts';
import { parseResponse, type ReceivedResponse } from '../../../../nodes/shared/client/response.ts';
import { holdTime, passTime, useRealTime } from '../../../support/n8n/time.mts';

afterEach(useRealTime);

const answer = (statusCode: number, headers: IDataObject = {}): ReceivedResponse => ({
	statusCode,
	headers,
	body: { message: 'It said so' },
	isJson: true,
});

/** Sends a read whose responses come one after the other, each after some time. */
function send(deadline: Deadline, responses: ReceivedResponse[], eachTakesMs: number) {
	const given: number[] = [];
	const ended = requestWithRetry({
		method: 'GET',
		deadline,
		hasTime: true,
		sendOnce: async (leftMs) => {
			given.push(leftMs);
			await passTime(eachTakesMs);
			return parseResponse(responses[given.length - 1] ?? answer(500), 'T');
		},
		wait: passTime,
	});
	const told = ended.then(
		() => 'done',
		(error: unknown) => (error as Error).message,
	);
	return { given, ended: told };
}

describe('a deadline', () => {
	it('of a request counts its tries and waits, and no pause that the service asks for', async () => {
		holdTime();
		const deadline = new Deadline({ totalMs: 20_000, requestMs: 2_500 });
		const pause = answer(429, { 'retry-after': '10' });
		const { given, ended } = send(deadline, [pause, answer(200)], 1_000);
		expect(await ended).toBe('done');
		expect(given).toEqual([2_500, 1_500]);
	});

	it('of all requests counts the pauses too', async () => {
		holdTime();
		const deadline = new Deadline({ totalMs: 5_000, requestMs: 2_500 });
		const pause = answer(429, { 'retry-after': '10' });
		const { given, ended } = send(deadline, [pause, answer(200)], 1_000);
		expect(await ended).toMatch(/^The service is receiving too many requests/);
		expect(given).toEqual([2_500]);
		expect(deadline.leftMs).toBe(4_000);
	});

	it('leaves time to wait for a limit that names no wait', async () => {
		holdTime();
		const deadline = new Deadline({ totalMs: 20_000, requestMs: 2_500 });
		const { ended } = send(deadline, [answer(429), answer(429), answer(200)], 0);
		expect(await ended).toBe('done');
		expect(deadline.leftMs).toBeLessThanOrEqual(17_000);
	});

	it('that is over lets nothing be sent', async () => {
		holdTime();
		const deadline = new Deadline({ totalMs: 3_000, requestMs: 2_500 });
		await send(deadline, [answer(200)], 2_900).ended;
		expect(deadline.leftMs).toBe(100);
		await passTime(100);
		const { given, ended } = send(deadline, [answer(200)], 0);
		expect(await ended).toBe('The service did not answer in time');
		expect(given).toEqual([]);
	});
});
