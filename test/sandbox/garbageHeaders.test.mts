import { expect, it } from '@jest/globals';
import { Connection } from '../support/fuzz/connection.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { expectRefused, startUnchangedService } from '../support/sandbox/unchangedService.mts';

const { service, raw } = await startUnchangedService();

it('an Expect header that nobody knows changes nothing', async () => {
	const response = await raw('GET', '/user/calls', '', { Expect: 'nothing' });
	expect(response.status).toBe(200);
});

it('headers that are too long → 431, and the next request has a new connection', async () => {
	const headers = { 'X-Long': 'x'.repeat(20_000) };
	expectRefused('long headers', await raw('GET', '/user/calls', '', headers), 431);
	const connection = new Connection(service.url);
	const get = (more: Record<string, string>) =>
		connection.send({
			method: 'GET',
			path: '/user/calls',
			headers: { authorization: `Bearer ${ALICE}`, ...more },
			body: undefined,
		});
	expect((await get(headers)).status).toBe(431);
	expect((await get({})).status).toBe(200);
	connection.close();
});
