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

/** Resolves when what is on its way between programs of this process has arrived. */
export async function arrival(): Promise<void> {
	for (let turn = 0; turn < 30; turn += 1) await nextTurn();
}
