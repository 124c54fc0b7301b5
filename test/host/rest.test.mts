import { expect, it } from '@jest/globals';
import { openRest } from '../../host/api/rest.mts';
import { listenOnLoopback } from '../support/loopback.mts';

it('each request to n8n has a connection of its own, which n8n cannot close while it waits', async () => {
	const ports = new Set<number | undefined>();
	await using server = await listenOnLoopback(({ socket }, response) => {
		ports.add(socket.remotePort);
		response.end('{"data":null}');
	});
	const { send } = openRest(server.origin);
	for (let count = 0; count < 3; count++) await (await send('GET', '/rest/settings')).text();
	expect(ports.size).toBe(3);
});
