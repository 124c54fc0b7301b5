import { AssistantReader, toolIdsOf } from './assistantRecord.mts';
import type { Client } from './client.mts';
import { isAccepted } from './outcome.mts';
import { CannotCheck, Stop } from './stop.mts';
import { describeUndo, isOurs, isRestored, undoRequest, undoVerbs } from './undo.mts';
import type { AssistantUndo, Change, UndoRequest } from './undo.mts';

/** What became of taking a change back. */
export interface Restoration {
	/** Whether there is nothing left to do with it. */
	isDone: boolean;
	/** For the user. */
	text: string;
}

/** Takes a change back, unless somebody else has changed the same thing since. */
export async function restore(client: Client, undo: Change): Promise<Restoration> {
	try {
		switch (undo.kind) {
			case 'started campaign':
			case 'waiting lead':
				return await sendFinally(client, undo, undoRequest(undo));
			default:
				return await restoreAssistant(client, undo);
		}
	} catch (error) {
		if (!(error instanceof CannotCheck || error instanceof Stop)) throw error;
		return { isDone: false, text: notRestored(undo, error.message) };
	}
}

async function restoreAssistant(client: Client, undo: AssistantUndo): Promise<Restoration> {
	const reader = new AssistantReader(client, undo.assistant);
	const record = await reader.read();
	if (isRestored(undo, record)) return restored(undo);
	if (!isOurs(undo, record)) {
		const text = `Left as it is, because somebody else has changed it: ${describeUndo(undo)}.`;
		return { isDone: true, text };
	}
	const toolIds = undo.kind === 'attached tool' ? toolIdsOf(record) : undefined;
	const sent = await sendRestoration(client, undo, undoRequest(undo, toolIds));
	if (!sent.isDone) return sent;
	const after = await reader.read();
	if (isRestored(undo, after) || !isOurs(undo, after)) return restored(undo);
	// Sending it again would have no effect either.
	const text = `The service accepted the request that restores ${describeUndo(undo)}, and changed nothing. Restore it at the service's own website.`;
	return { isDone: true, text };
}

/** Statuses of a refusal that may be another one the next time. */
const PASSING = [401, 403, 408, 429];

/** Sends it only once if the service refuses: nobody changes a lead or a campaign so that it is accepted. */
async function sendFinally(
	client: Client,
	undo: Change,
	request: UndoRequest,
): Promise<Restoration> {
	const sent = await sendRestoration(client, undo, request);
	const { status } = sent;
	if (sent.isDone || status < 400 || status > 499 || PASSING.includes(status)) return sent;
	return { isDone: true, text: `${sent.text} Look at it at the service's own website.` };
}

async function sendRestoration(
	client: Client,
	undo: Change,
	{ method, path, body }: UndoRequest,
): Promise<Restoration & { status: number }> {
	const { status } = await client.write(method, path, body);
	if (isAccepted({ status })) return { ...restored(undo), status };
	return { isDone: false, text: notRestored(undo, `The status was ${status}.`), status };
}

const restored = (undo: Change): Restoration => ({
	isDone: true,
	text: `${undoVerbs(undo).done}: ${describeUndo(undo)}.`,
});

const notRestored = (undo: Change, reason: string): string =>
	`Not ${undoVerbs(undo).done.toLowerCase()}: ${describeUndo(undo)}. ${reason}`;
