import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { MAX_BODY_BYTES } from '../../../../nodes/shared/client/readBody.ts';
import { listenOnLoopback } from '../../../support/loopback.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
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

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a body', () => {
	it('that is too large when it is unpacked is given up, and not asked for again', async () => {
		const million = gzipSync(Buffer.alloc(1_000_000, ' '));
		const { error, requests } = await runAt('call: getAll', async (response) => {
			response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
			for (let sent = 0; sent <= MAX_BODY_BYTES && !response.destroyed; sent += 1_000_000) {
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
		[
			'lead: create',
			200,
			'unknown',
			'The service sent an answer that is nested too deep; the request may have been carried out',
		],
		['call: getAll', 200, 'failed', 'The service sent an answer that is nested too deep'],
		['lead: create', 422, 'refused', 'The service refused the request (status 422)'],
	])('that is nested too deep: %s with status %i', async (name, status, result, message) => {
		const { error, requests } = await runAt(name, (response) => {
			response.writeHead(status, JSON_TYPE);
			response.end(`{"message":"No","errors":${nested(10_000)}}`);
		});
		expect(error).toMatchObject({ result, message, httpCode: status === 200 ? null : '422' });
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
