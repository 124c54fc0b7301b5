import { once } from 'node:events';
import { createServer } from 'node:net';
import getPort, { portNumbers } from 'get-port';

/** All servers listen on this address only, which the network does not reach. */
export const LOOPBACK = '127.0.0.1';

/** Gives a TCP port that is free on the loopback address, and that it gave nobody else in the last 15 s. */
export const freePort = async (): Promise<number> => await getPort({ host: LOOPBACK });

const IN_USE = 'is in use by another program';

interface WantedPort {
	port: number;
	/** who listens there, for the message: "n8n" */
	owner: string;
	/** the option that chooses another: "--port" */
	option: string;
}

/**
 * Checks that ports can be used.
 *
 * @param command how the user runs the command: "npm start --"
 * @throws Error that names each port that cannot be used, and the command with free ones
 */
export async function requireFreePorts(command: string, wanted: WantedPort[]): Promise<void> {
	const problems: string[] = [];
	const options: string[] = [];
	const chosen = new Set<number>();
	for (const { port, owner, option } of wanted) {
		const reason = chosen.has(port) ? 'is wanted twice' : await portProblem(port);
		const free = reason === undefined ? port : await nextFreePort(port, chosen);
		chosen.add(free);
		options.push(`${option} ${free}`);
		if (reason !== undefined) problems.push(`Port ${port}, for ${owner}, ${reason}.`);
	}
	if (problems.length === 0) return;
	const isInUse = problems.some((problem) => problem.includes(IN_USE));
	throw new Error(
		`${problems.join('\n')}\n${isInUse ? 'Stop the other program (an earlier npm start, perhaps), or use' : 'Use'} free ports:\n  ${command} ${options.join(' ')}`,
	);
}

async function portProblem(port: number): Promise<string | undefined> {
	await using server = createServer((socket) => socket.destroy());
	try {
		await once(server.listen({ port, host: LOOPBACK, exclusive: true }), 'listening');
		return (await isBlocked(port)) ? 'is one that no browser opens' : undefined;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'EADDRINUSE') return IN_USE;
		return code === 'EACCES' ? 'is only for the system administrator' : 'cannot be used';
	}
}

/** Whether browsers, and `fetch` with them, refuse the port, because another protocol uses it. */
const isBlocked = async (port: number): Promise<boolean> =>
	await fetch(`http://${LOOPBACK}:${port}`).then(
		() => false,
		(error: unknown) =>
			error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port',
	);

/** Looks upwards, because a port beside the wanted one is easy to remember. */
async function nextFreePort(port: number, except: Set<number>): Promise<number> {
	const above = portNumbers(Math.max(port, 1024), 65_535);
	const free = await getPort({ host: LOOPBACK, port: above, exclude: except });
	return (await isBlocked(free)) ? await nextFreePort(free + 1, except) : free;
}
