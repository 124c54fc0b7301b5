import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import type { Editor } from '../../host/api/editor.mts';
import { waitFor } from '../../host/process/wait.mts';

/** n8n sends a message within 3 s after the execution begins to wait (n8n 2.41). */
const MESSAGE_LIMIT_MS = 60_000;
const HEARTBEAT = 'n8n|heartbeat';
const CONTINUE = 'n8n|continue';

/** n8n takes no answer from a program, so that link previews of chat apps do not approve (n8n 2.41). */
const BROWSER = {
	'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

const started = z.object({ executionId: z.coerce.string(), resumeToken: z.string() });
const questionMessage = z.object({
	text: z.string(),
	buttons: z.array(z.object({ text: z.string(), link: z.string() })),
});

/** What the workflow asks. */
export interface Question {
	text: string;
	/** Clicks a button of the question. */
	click: (button: string) => Promise<void>;
}

/** A conversation in n8n's chat, as a person has it in the browser. Its disposal closes the connection. */
export interface Chat extends Disposable {
	executionId: string;
	/** What n8n has sent until now. */
	received: readonly string[];
	/** Waits for the next message, a question. @throws as `reply` */
	question: () => Promise<Question>;
	/** Waits for the next message. @throws Error when the connection ends before it, or after a minute */
	reply: () => Promise<string>;
	/** Sends a message. */
	write: (text: string) => void;
}

/** Opens a link that decides, as a person does in the browser. */
export async function openLink(link: string): Promise<void> {
	assert.equal((await fetch(link, { headers: BROWSER })).status, 200);
}

/**
 * Writes the first message in a published chat (n8n 2.41, with the trigger's *Response Mode* *Using
 * Response Nodes*).
 *
 * @param url base URL of n8n
 * @param webhookId of the chat trigger
 */
export const openChat = async (url: string, webhookId: string): Promise<Chat> =>
	await converse(url, `webhook/${webhookId}/chat`, randomUUID(), { isPublic: 'true' });

/**
 * Writes the first message in the editor's chat, of a workflow that need not be published (n8n 2.41).
 *
 * @param n8n its base URL, and its editor
 * @param trigger name of the chat trigger
 */
export async function openEditorChat(
	{ url, editor }: { url: string; editor: Editor },
	workflowId: string,
	trigger: string,
): Promise<Chat> {
	const sessionId = randomUUID();
	const workflowData = await editor.rest.call(z.unknown(), 'GET', `/workflows/${workflowId}`);
	await editor.rest.call(z.unknown(), 'POST', `/workflows/${workflowId}/run`, {
		workflowData,
		triggerToStartFrom: { name: trigger },
		chatSessionId: sessionId,
	});
	return await converse(url, `webhook-test/${workflowId}/${sessionId}`, sessionId);
}

/**
 * Begins a conversation.
 *
 * @param path to which the first message goes
 * @param others further parameters of the connection
 */
async function converse(
	url: string,
	path: string,
	sessionId: string,
	others: Record<string, string> = {},
): Promise<Chat> {
	const message = (chatInput: string) =>
		JSON.stringify({ action: 'sendMessage', sessionId, chatInput });
	const response = await fetch(`${url}/${path}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: message('Do it.'),
	});
	assert.equal(response.status, 200);
	const { executionId, resumeToken: token } = started.parse(await response.json());

	const query = new URLSearchParams({ sessionId, executionId, token, ...others });
	const socket = new WebSocket(`${url.replace('http', 'ws')}/chat?${String(query)}`);
	const received: string[] = [];
	let ended: string | undefined;
	socket.addEventListener('message', ({ data }) => {
		if (data === HEARTBEAT) socket.send(`${HEARTBEAT}-ack`);
		else if (data !== CONTINUE) received.push(String(data));
	});
	socket.addEventListener('error', () => (ended ??= 'The connection to the chat failed.'));
	socket.addEventListener('close', ({ code }) => (ended ??= `n8n closed the chat (${code}).`));

	let read = 0;
	const nextMessage = async () => {
		const message = await waitFor('a message in the chat', MESSAGE_LIMIT_MS, () => {
			if (received[read] === undefined && ended !== undefined) throw new Error(ended);
			return Promise.resolve(received[read]);
		});
		read += 1;
		return message;
	};
	return {
		executionId,
		received,
		async question() {
			const { text, buttons } = questionMessage.parse(JSON.parse(await nextMessage()));
			const click = async (button: string) => {
				const link = buttons.find((each) => each.text === button)?.link;
				assert.ok(link, `The question has no button "${button}".`);
				await openLink(link);
			};
			return { text, click };
		},
		reply: nextMessage,
		write: (text) => socket.send(message(text)),
		[Symbol.dispose]: () => socket.close(),
	};
}
