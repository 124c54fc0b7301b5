import { describe, expect, it } from '@jest/globals';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { freePort, requireFreePorts } from '../../host/process/ports.mts';
import { listenOnLoopback } from '../support/loopback.mts';

const wanted = (n8n: number, sandbox: number) => [
	{ port: n8n, owner: 'n8n', option: '--port' },
	{ port: sandbox, owner: 'the sandbox', option: '--sandbox-port' },
];
/** A port that another program has. */
async function takenPort() {
	const { origin, close } = await listenOnLoopback((_request, response) => response.end());
	return { port: Number(new URL(origin).port), [Symbol.asyncDispose]: close };
}
/** The ports in the command that the message offers. */
const offered = (message: string): number[] =>
	(/npm start -- --port (\d+) --sandbox-port (\d+)$/.exec(message) ?? []).slice(1).map(Number);
const failureOf = async (...ports: Parameters<typeof wanted>): Promise<string> =>
	await requireFreePorts('npm start --', wanted(...ports)).then(() => 'no failure', errorMessage);

describe('the ports that npm start needs', () => {
	it('free ports are fine', async () => {
		expect(await failureOf(await freePort(), await freePort())).toBe('no failure');
	});

	it('names the port that is taken, and a command with ports that are free', async () => {
		await using taken = await takenPort();
		const sandbox = await freePort();
		const message = await failureOf(taken.port, sandbox);
		expect(message).toContain(`Port ${taken.port}, for n8n, is in use by another program.`);
		expect(message).not.toContain('for the sandbox');
		const [n8nPort = 0, sandboxPort] = offered(message);
		expect(sandboxPort).toBe(sandbox);
		expect(n8nPort).not.toBe(taken.port);
		expect(await failureOf(n8nPort, sandbox)).toBe('no failure');
	});

	it('names both when both are taken', async () => {
		await using first = await takenPort();
		await using second = await takenPort();
		const message = await failureOf(first.port, second.port);
		expect(message).toContain(`Port ${first.port}, for n8n,`);
		expect(message).toContain(`Port ${second.port}, for the sandbox,`);
		const [n8nPort = 0, sandboxPort = 0] = offered(message);
		expect(await failureOf(n8nPort, sandboxPort)).toBe('no failure');
	});

	it('offers two different ports when the same one is wanted twice', async () => {
		const port = await freePort();
		const message = await failureOf(port, port);
		expect(message).not.toContain('Stop the other program');
		const [n8nPort, sandboxPort] = offered(message);
		expect(n8nPort).toBe(port);
		expect(sandboxPort).toBeGreaterThan(port);
	});
});
