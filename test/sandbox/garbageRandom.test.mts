import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { errorBodyViolations } from '../support/sandbox/contract.mts';
import { stateOf, writes } from '../support/sandbox/raw.mts';
import { expectRefused, startUnchangedService } from '../support/sandbox/unchangedService.mts';

const { service, raw } = await startUnchangedService();

describe('anything at all', () => {
	it('every body is answered in the service’s shape, and what is refused changes nothing', async () => {
		const anyField = fc.dictionary(
			fc.constantFrom(
				...writes.flatMap(({ valid }) => Object.keys(valid)),
				'variables',
				'schema',
				'headers',
				'tool_ids',
				'webhook_url',
				'secondary_contacts',
				'post_call_schema',
				'end_call_tool',
				'speech_speed',
				'x',
			),
			fc.jsonValue({ maxDepth: 4 }),
		);
		const body = fc.oneof(fc.jsonValue({ maxDepth: 5 }), anyField);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...writes),
				body,
				fc.boolean(),
				async ({ method, path, valid }, value, onTop) => {
					const unchanged = await stateOf(service);
					const merged =
						onTop && typeof value === 'object' && value !== null && !Array.isArray(value)
							? { ...valid, ...value }
							: value;
					const response = await service.alice.request(method, path, { json: merged });
					expect(response.status).toBeLessThan(500);
					if (response.status >= 400) {
						expect(errorBodyViolations(response.body)).toEqual([]);
						expect(await stateOf(service)).toEqual(unchanged);
					}
				},
			),
			{ numRuns: 150 },
		);
		await service.reset();
	});

	it('every query is answered in the service’s shape', async () => {
		const name = fc.constantFrom(
			'status',
			'type',
			'phone_number',
			'assistant_id',
			'campaign_id',
			'date_from',
			'date_to',
			'per_page',
			'page',
			'x[]',
			'status[]',
		);
		const value = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.constantFrom('1', '0', '-1', '1e3', 'completed', '2026-01-01', '', 'null'),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('/user/calls', '/user/assistants/get'),
				fc.dictionary(name, value),
				async (path, query) => {
					const response = await service.alice.get(path, query);
					expect([200, 422]).toContain(response.status);
				},
			),
			{ numRuns: 100 },
		);
	});

	it.each([
		'%',
		'%zz',
		'%c0%af',
		'page=%ff',
		'page=1&page=2',
		'=&=&',
		'?page=1',
		'page[]=1',
		'__proto__=1',
		'page=1%00',
	])('GET /user/calls?%s is answered', async (query) => {
		const response = await raw('GET', `/user/calls?${query}`);
		expect([200, 400, 422]).toContain(response.status);
		if (response.status !== 200) expect(errorBodyViolations(response.body)).toEqual([]);
	});

	it('bytes of any kind as a body are answered in the service’s shape', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...writes),
				fc.uint8Array({ maxLength: 200 }),
				async ({ method, path }, bytes) => {
					expectRefused(`${method} ${path}`, await raw(method, path, Buffer.from(bytes)), 400, 422);
				},
			),
			{ numRuns: 100 },
		);
	});
});
