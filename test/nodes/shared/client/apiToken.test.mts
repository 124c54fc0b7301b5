import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isRead, OPERATIONS, operationNamed } from '../../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';

const TOKEN = 'sk-very-secret-0815';

const startServer = stubServersPerTest();
afterEach(useRealTime);

const LEAD = operationNamed('lead: create');

const UNLIMITED = { depth: Infinity, maxArrayLength: null, maxStringLength: null };

const MAYBE_DONE = '; the request may have been carried out';

/** Everything that a value refers to, also hidden fields and causes, as one text in small letters. */
const everythingIn = (value: unknown) =>
	inspect(value, { ...UNLIMITED, showHidden: true }).toLowerCase();

describe('a redirect to another host', () => {
	describe.each([301, 302, 303, 307, 308])('with status %i', (status) => {
		it.each(OPERATIONS)('is not followed by $name', async (operation) => {
			const { parameters } = operation;
			const other = await startServer(() => ({ body: { message: 'Thanks', data: [] } }));
			// The token must not go to another host name, even if it is the same machine.
			const Location = `${other.origin.replace('127.0.0.1', 'localhost')}/api/elsewhere`;
			const server = await startServer(() => ({ status, headers: { Location } }));

			const { error, run } = await n8nAt(server, TOKEN).runNode({ parameters });
			expect(error).toMatchObject({
				message: `The service redirected the request to another address (${new URL(Location).host})${isRead(operation) ? '' : MAYBE_DONE}`,
				description: `The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.${isRead(operation) ? '' : ' The request was not sent again. Check in your account at the provider before you try again.'}`,
				httpCode: String(status),
			});
			expect(server.requests).toHaveLength(1);
			expect(other.requests).toEqual([]);
			expect(everythingIn(run)).not.toContain(TOKEN);
		});
	});

	it.each<[Record<string, string>, string]>([
		[{ Location: '/login' }, 'The service redirected the request to another address'],
		[{ Location: 'http://' }, 'The service redirected the request to another address'],
		[{ Location: '' }, 'The service answered without data (status 302)'],
		[{}, 'The service answered without data (status 302)'],
	])('with the headers %j is told as: %s', async (headers, message) => {
		const server = await startServer(() => ({ status: 302, headers }));
		const { error } = await n8nAt(server, TOKEN).runNode({ parameters: LEAD.parameters });
		expect(error?.message).toBe(message + MAYBE_DONE);
	});
});

describe('the token', () => {
	/** Failures of every kind. */
	const FAILURES: StubResponse[] = [
		{ status: 401, body: { message: 'Unauthenticated.' } },
		{ status: 404, body: { message: 'Lead not found' } },
		{ status: 422, body: { message: 'Validation failed', errors: { phone_number: ['No.'] } } },
		{ status: 429, headers: { 'Retry-After': '120' } },
		{ status: 500, body: '<html>Error</html>' },
		{ status: 200, body: '' },
	];
	const SUCCESS: StubResponse = { status: 200, body: { message: 'Done', data: { id: 1 } } };

	const settings = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

	it.each([...FAILURES, SUCCESS])('is nowhere in what n8n stores after %j', async (answer) => {
		const n8n = n8nAt(await startServer(() => answer), TOKEN);
		skipWaits();
		for (const { parameters } of [LEAD, operationNamed('call: getAll')]) {
			for (const onError of settings) {
				const outcome = await n8n.runNode({ parameters, settings: { onError } });
				expect(everythingIn(outcome)).not.toContain(TOKEN);
			}
		}
	});

	it.each([
		['nobody listens', 'http://127.0.0.1:1/api'],
		['the address is none', `http://${TOKEN}@127.0.0.1/api`],
	])('is nowhere in what n8n stores when %s', async (_what, baseUrl) => {
		const n8n = n8nWith({ baseUrl, apiToken: TOKEN });
		const outcome = await n8n.runNode({ parameters: LEAD.parameters });
		expect(outcome.error).toBeDefined();
		expect(everythingIn(outcome)).not.toContain(TOKEN);
	});
});
