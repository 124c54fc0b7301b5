import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { MAX_BODY_BYTES } from '../../../../nodes/shared/client/readBody.ts';
import { listenOnLoopback } from '../../../support/loopback.mts';
import { nextTurn } from '../../../support/eventLoop.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { useRealTime, skipWaits } from '../../../support/n8n/time.mts';

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
	useRealTime();
	await Promise.all(closing.splice(0).map((close) => close()));
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Runs an operation at a service that sends its body as the test says. @returns its error, and how often it asked */
async function runAt(
	name: string,
	respond: (response: ServerResponse) => unknown,
	timeout = 30_000,
) {
	let requests = 0;
	const { origin, close } = await listenOnLoopback((_request, response) => {
		requests++;
		response.on('error', () => undefined);
		void respond(response);
	});
	closing.push(close);
	const { output } = await n8nWith({ baseUrl: `${origin}/api`, apiToken: 'T' }).runNode({
		parameters: { ...operationNamed(name).parameters, requestOptions: { timeout } },
		settings: { onError: 'continueErrorOutput' },
	});
	return { error: output[1][0]?.json.error as IDataObject | undefined, output, requests };
}

/** Sends spaces, which are allowed before JSON, until the connection is closed. */
async function drip(response: ServerResponse) {
	response.writeHead(200, JSON_TYPE);
	while (!response.destroyed) {
		response.write(' ');
		await nextTurn();
	}
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a body', () => {
	it.each(['lead: create', 'campaign: start'])(
		'that comes byte by byte ends at the time limit: %s',
		async (name) => {
			const { error, requests } = await runAt(name, drip, 200);
			expect(error).toMatchObject({
				result: 'unknown',
				message: 'The service did not answer in time',
				httpCode: 'ETIMEDOUT',
			});
			expect(requests).toBe(1);
		},
	);

	it('that comes byte by byte is asked for four times by a read', async () => {
		skipWaits();
		const { error, requests } = await runAt('call: getAll', drip, 200);
		expect(error).toMatchObject({ message: 'The service did not answer in time' });
		expect(requests).toBe(4);
	});

	it('that grows without end when it is unpacked is given up, and not asked for again', async () => {
		const million = gzipSync(Buffer.alloc(1_000_000, ' '));
		const { error, requests } = await runAt('call: getAll', async (response) => {
			response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
			for (let sent = 0; sent < 2 * MAX_BODY_BYTES && !response.destroyed; sent += 1_000_000) {
				if (!response.write(million)) {
					await Promise.race([once(response, 'drain'), once(response, 'close')]);
				}
			}
			response.end();
		});
		expect(error).toMatchObject({ message: 'The service sent more than 100 MB' });
		expect(requests).toBe(1);
	});

	it.each([
		['of a write leaves its outcome unknown', 'lead: create', 'unknown'],
		['of a read has no effect', 'call: getAll', 'failed'],
	])('that is nested too deep %s', async (_what, name, result) => {
		const { error, requests } = await runAt(name, (response) => {
			response.writeHead(200, JSON_TYPE);
			response.end(`{"data":${nested(10_000)}}`);
		});
		expect(error).toMatchObject({
			result,
			message: 'The service sent an answer that is nested too deep',
		});
		expect(requests).toBe(1);
	});

	it('that is nested too deep leaves a refusal one', async () => {
		const { error } = await runAt('lead: create', (response) => {
			response.writeHead(422, JSON_TYPE);
			response.end(`{"message":"No","errors":${nested(10_000)}}`);
		});
		expect(error).toMatchObject({ result: 'refused', httpCode: '422' });
	});

	it('that is cut off leaves the outcome of a write unknown', async () => {
		const { error, requests } = await runAt('lead: create', (response) => {
			response.writeHead(200, { ...JSON_TYPE, 'Content-Length': '100' });
			response.write('{"data":{', () => response.destroy());
		});
		expect(error).toMatchObject({
			result: 'unknown',
			message: 'The connection was closed in the middle of the answer',
		});
		expect(requests).toBe(1);
	});

	it('keeps IDs that a number cannot hold', async () => {
		const { output } = await runAt('lead: create', (response) => {
			response.writeHead(200, JSON_TYPE);
			response.end('{"message":"Lead created successfully","data":{"id":9007199254740993}}');
		});
		expect(output[0][0]?.json.id).toBe('9007199254740993');
	});
});
