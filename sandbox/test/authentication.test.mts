import { describe, expect, it } from '@jest/globals';
import { sendRequest } from './support/client.mts';
import { operations } from './support/contract.mts';
import { bodyExamples, bodyProperties, references } from './support/examples.mts';
import { expectResponse } from './support/responses.mts';
import { startTestService } from './support/testService.mts';
import { sampled } from '../../test/support/sample.mts';

const service = await startTestService();

const withoutToken: [what: string, Authorization: string | undefined][] = [
	['no Authorization header', undefined],
	['an empty Authorization header', ''],
	['Bearer without a token', 'Bearer '],
	['a token without Bearer', 'alice-token'],
	['Basic credentials', 'Basic YWxpY2UtdG9rZW46'],
	['an unknown token', 'Bearer nobody'],
	['the beginning of a token', 'Bearer alice-toke'],
	['a token with something after it', 'Bearer alice-token x'],
	['a token in capitals', 'Bearer ALICE-TOKEN'],
	['two tokens', 'Bearer alice-token, Bearer bob-token'],
];

describe.each(operations)('$method $path', (operation) => {
	const { method, path } = operation;
	it.each(sampled(withoutToken, 8, operations.indexOf(operation)))(
		'%s → 401, before anything else is looked at',
		async (_what, token) => {
			for (const [id, body] of [
				['1', '{}'],
				['nonsense', 'not json'],
			] as const) {
				const response = await sendRequest(service.url + path.replace('{id}', id), {
					method,
					headers: {
						...(token !== undefined && { Authorization: token }),
						'Content-Type': 'application/json',
					},
					...(method !== 'GET' && { body }),
				});
				expectResponse(response, 401, { message: 'Unauthenticated.' });
			}
		},
	);
});

it.each(['Bearer', 'bearer', 'BEARER'])('the scheme is accepted as %s', async (scheme) => {
	const headers = { Authorization: `${scheme} alice-token` };
	expect((await sendRequest(`${service.url}/user/calls`, { headers })).status).toBe(200);
});

// contract: Authentication – "A resource that does not exist or belongs to another user is reported as not
// found": both responses must be identical.
describe('what belongs to another user', () => {
	/** Requests that name a record in one of the places that the contract has for it. */
	const named = operations.flatMap((operation) => {
		const [{ body } = {}] = bodyExamples(operation);
		return references(operation).map(({ property = 'id', isList }) => ({
			...operation,
			property,
			bodyWith: (id: number) =>
				body && property !== 'id' ? { ...body, [property]: isList ? [1, id] : id } : body,
			pathWith: (id: number) => operation.path.replace('{id}', property === 'id' ? `${id}` : '1'),
		}));
	});

	it('is named by the properties that the contract says it of', () => {
		const unsaid = operations.flatMap((operation) =>
			bodyProperties(operation)
				.filter(([name, schema]) => /_ids?$/.test(name) && !schema['x-refers-to'])
				.map(([name]) => `${operation.operationId}: ${name}`),
		);
		expect(unsaid).toEqual([]);
		expect(named.map(({ property }) => property)).toContain('campaign_id');
	});

	it.each(sampled(named, 4))(
		'$method $path with $property is answered like what does not exist',
		async ({ method, pathWith, bodyWith }) => {
			const [foreign, unknown] = await Promise.all(
				[101, 999].map((id) => service.alice.request(method, pathWith(id), { json: bodyWith(id) })),
			);
			expect(foreign?.status).toBeGreaterThanOrEqual(400);
			expect(foreign?.status).toBeLessThan(500);
			expect([foreign?.status, foreign?.body]).toEqual([unknown?.status, unknown?.body]);
		},
	);
});
