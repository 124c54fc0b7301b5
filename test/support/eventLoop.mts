import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';

/** Resolves in a later turn of the event loop, after everything that is ready now. */
export async function nextTurn(): Promise<void> {
	const { port1, port2 } = new MessageChannel();
	const arrived = once(port1, 'message');
	port2.postMessage('turn');
	await arrived;
	port1.close();
}

/** More turns than a request needs from a client to a server of this process, and its response back. */
const TURNS = 30;

/** Lets requests and responses within this process arrive. What threads do, such as unpacking, may take longer. */
export async function flushEventLoop(): Promise<void> {
	for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}
