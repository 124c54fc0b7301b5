import { describe, expect, it } from '@jest/globals';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { freePort, requireFreePorts } from '../../host/process/ports.mts';
import { listenOnLoopback, type LoopbackServer } from '../support/loopback.mts';

/** Another program. */
const startOther = () => listenOnLoopback((_request, response) => response.end());
const getPort = ({ origin }: LoopbackServer) => Number(new URL(origin).port);

/** What is said when these are wanted, and the ports in the command that it offers. */
async function wantPorts(n8n: number, sandbox: number) {
	const message = await requireFreePorts('npm start --', [
		{ port: n8n, owner: 'n8n', option: '--port' },
		{ port: sandbox, owner: 'the sandbox', option: '--sandbox-port' },
	]).then(() => 'no failure', errorMessage);
	const command = /npm start -- --port (\d+) --sandbox-port (\d+)$/.exec(message) ?? [];
	const [n8nPort = 0, sandboxPort = 0] = command.slice(1).map(Number);
	return { message, n8nPort, sandboxPort };
}

describe('the ports that npm start needs', () => {
	it('names the port that is taken, and a command with ports that are free', async () => {
		await using taken = await startOther();
		const sandbox = await freePort();
		const { message, n8nPort, sandboxPort } = await wantPorts(getPort(taken), sandbox);
		expect(message).toContain(`Port ${getPort(taken)}, for n8n, is in use by another program.`);
		expect(message).not.toContain('for the sandbox');
		expect(sandboxPort).toBe(sandbox);
		expect(n8nPort).not.toBe(getPort(taken));
		expect((await wantPorts(n8nPort, sandbox)).message).toBe('no failure');
	});

	it('names both when both are taken', async () => {
		await using first = await startOther();
		await using second = await startOther();
		const { message, n8nPort, sandboxPort } = await wantPorts(getPort(first), getPort(second));
		expect(message).toContain(`Port ${getPort(first)}, for n8n,`);
		expect(message).toContain(`Port ${getPort(second)}, for the sandbox,`);
		expect((await wantPorts(n8nPort, sandboxPort)).message).toBe('no failure');
	});

	it('offers the next port that a browser opens', async () => {
		const { message, n8nPort } = await wantPorts(6667, await freePort());
		expect(message).toContain('Port 6667, for n8n, is one that no browser opens.');
		expect(n8nPort).toBeGreaterThan(6669);
	});

	it('offers two different ports when the same one is wanted twice', async () => {
		const port = await freePort();
		const { message, n8nPort, sandboxPort } = await wantPorts(port, port);
		expect(message).not.toContain('Stop the other program');
		expect(n8nPort).toBe(port);
		expect(sandboxPort).toBeGreaterThan(port);
	});
});
