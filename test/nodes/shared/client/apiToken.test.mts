import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isRead, OPERATIONS, operationNamed } from '../../../support/n8n/operations.mts';
import {
	stubServersPerTest,
	type StubResponse,
	type StubServer,
} from '../../../support/n8n/stubServer.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { PollNode } from '../../../support/trigger/pollNode.mts';
import { failureOf } from '../../../support/trigger/testEnvironment.mts';
import { TriggerNode } from '../../../support/trigger/triggerNode.mts';

const TOKEN = 'sk-very-secret-0815';

const startServer = stubServersPerTest();
afterEach(useRealTime);

const nodeAt = (server: StubServer) =>
	n8nWith({ baseUrl: `${server.origin}/api`, apiToken: TOKEN });

/** Everything that a value refers to, also hidden fields and causes, as one text. */
const everythingIn = (value: unknown) =>
	inspect(value, {
		depth: Infinity,
		showHidden: true,
		maxArrayLength: null,
		maxStringLength: null,
	});

describe('a redirect to another host', () => {
	describe.each([301, 302, 303, 307, 308])('with status %i', (status) => {
		it.each(OPERATIONS)('is not followed by $name', async (operation) => {
			const { parameters } = operation;
			const other = await startServer(() => ({
				body: { message: 'Thanks for the token', data: [] },
			}));
			// The token must not go to another host name, even if it is the same machine.
			const Location = `${other.origin.replace('127.0.0.1', 'localhost')}/api/elsewhere`;
			const server = await startServer(() => ({ status, headers: { Location } }));

			const { error, run } = await nodeAt(server).runNode({ parameters });
			expect(error).toMatchObject({
				message: `The service redirected the request to another address (${new URL(Location).host})`,
				description: `The redirect was not followed, because the API token must not go to another host. Enter the final address as Base URL in the credential.${isRead(operation) ? '' : ' The service may have carried out the request, so it was not sent again. Check in your account at the provider before you try again.'}`,
				httpCode: String(status),
			});
			expect(server.requests).toHaveLength(1);
			expect(other.requests).toEqual([]);
			expect(everythingIn(run)).not.toContain(TOKEN);
		});
	});

	it.each(['/login', 'http://'])('is named if it leads to %j', async (Location) => {
		const server = await startServer(() => ({ status: 302, headers: { Location } }));
		const { parameters } = operationNamed('lead: create');
		const { error } = await nodeAt(server).runNode({ parameters });
		expect(error?.message).toBe('The service redirected the request to another address');
	});

	it.each(['', undefined])('is an error if it has no target: %j', async (Location) => {
		const headers: Record<string, string> = Location === undefined ? {} : { Location };
		const server = await startServer(() => ({ status: 302, headers }));
		const { parameters } = operationNamed('lead: create');
		const { error } = await nodeAt(server).runNode({ parameters });
		expect(error?.message).toBe('The service answered without data (status 302)');
	});
});

describe('the token', () => {
	it('is sent as a bearer token', async () => {
		const server = await startServer(() => ({ body: { message: 'OK', data: [] } }));
		await nodeAt(server).runNode({ parameters: operationNamed('campaign: stop').parameters });
		expect(server.requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${TOKEN}`]);
	});

	/** Failures of every kind. */
	const FAILURES: StubResponse[] = [
		{ status: 401, body: { message: 'Unauthenticated.' } },
		{ status: 404, body: { message: 'Lead not found' } },
		{ status: 422, body: { message: 'Validation failed', errors: { phone_number: ['No.'] } } },
		{ status: 429, headers: { 'Retry-After': '120' } },
		{ status: 500, body: '<html>Error</html>' },
		{ status: 200, body: '' },
		// These repeat the token.
		{ status: 200, body: { success: false, message: `No: ${TOKEN}` } },
		{ status: 200, body: `<title>${TOKEN}</title>` },
		{ status: 200, body: TOKEN },
		{ status: 302, headers: { Location: `https://${TOKEN}.example.com/${TOKEN}` } },
		{ status: 400, body: `Odd header: Bearer ${TOKEN}` },
		{ status: 401, body: { error: { message: TOKEN } } },
		{ status: 422, body: { message: TOKEN, errors: { [TOKEN]: [TOKEN], name: TOKEN } } },
		{ status: 422, body: { errors: [TOKEN.toUpperCase(), { field: TOKEN, message: TOKEN }] } },
		{
			status: 429,
			headers: { 'Retry-After': TOKEN },
			body: { message: TOKEN, retry_after: TOKEN },
		},
		{ status: 500, body: { error: TOKEN } },
	];
	const SUCCESS: StubResponse = { status: 200, body: { message: 'Done', data: { id: 1 } } };

	it.each([...FAILURES, SUCCESS])('is nowhere in what n8n stores after %j', async (answer) => {
		const server = await startServer(() => answer);
		for (const { parameters } of [operationNamed('lead: create'), operationNamed('call: getAll')]) {
			for (const onError of [
				'stopWorkflow',
				'continueRegularOutput',
				'continueErrorOutput',
			] as const) {
				skipWaits();
				const outcome = await nodeAt(server).runNode({ parameters, settings: { onError } });
				useRealTime();
				expect(everythingIn(outcome).toLowerCase()).not.toContain(TOKEN);
			}
		}
	});

	it.each(FAILURES)('is nowhere in what a picker and the triggers say after %j', async (answer) => {
		const server = await startServer(() => answer);
		const n8n = nodeAt(server);
		const trigger = new TriggerNode({
			id: 'instance-1',
			n8n,
			webhookUrl: 'https://n8n.example.com',
			warnings: [],
		});
		skipWaits();
		for (const attempt of [
			() => n8n.listSearch('searchAssistants'),
			() => new PollNode(n8n).publish(),
			() => trigger.hook('create', 'production', {}),
		]) {
			const error = await failureOf(attempt());
			expect(error.message.toLowerCase()).not.toContain(TOKEN);
			expect(JSON.stringify(error).toLowerCase()).not.toContain(TOKEN);
		}
		await trigger.hook('delete', 'production', {});
		expect(trigger.instance.warnings.join().toLowerCase()).not.toContain(TOKEN);
	});

	it.each([
		['nobody listens', 'http://127.0.0.1:1/api'],
		['the address is none', `http://${TOKEN}@127.0.0.1/api`],
	])('is nowhere in what n8n stores when %s', async (_what, baseUrl) => {
		const n8n = n8nWith({ baseUrl, apiToken: TOKEN });
		const { parameters } = operationNamed('lead: create');
		const outcome = await n8n.runNode({ parameters });
		expect(outcome.error).toBeDefined();
		expect(everythingIn(outcome)).not.toContain(TOKEN);
	});
});
