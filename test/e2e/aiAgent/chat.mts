import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { waitFor } from '../../../host/process/wait.mts';

/** n8n asks within 3 s after the execution begins to wait (n8n 2.41). */
const QUESTION_LIMIT_MS = 30_000;
const HEARTBEAT = 'n8n|heartbeat';

/** n8n takes no answer from a program, so that link previews of chat apps do not approve (n8n 2.41). */
const BROWSER = {
	'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

const started = z.object({ executionId: z.coerce.string(), resumeToken: z.string() });
const questionMessage = z.object({
	text: z.string(),
	buttons: z.array(z.object({ text: z.string(), link: z.string() })),
});

/** A conversation in n8n's chat, as a person has it in the browser. */
export interface Chat {
	executionId: string;
	/** What the workflow asks. */
	question: string;
	/** Clicks a button of the question. */
	click: (button: string) => Promise<void>;
	/** Answers with a message. */
	write: (text: string) => void;
}

/**
 * Writes the first message in a published chat, and waits until the workflow asks (n8n 2.41, with the
 * trigger's *Response Mode* *Using Response Nodes*).
 *
 * @param url base URL of n8n
 * @param webhookId of the chat trigger
 */
export async function chatUntilQuestion(url: string, webhookId: string): Promise<Chat> {
	const sessionId = randomUUID();
	const message = (chatInput: string) =>
		JSON.stringify({ action: 'sendMessage', sessionId, chatInput });
	const response = await fetch(`${url}/webhook/${webhookId}/chat`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: message('Do it.'),
	});
	assert.equal(response.status, 200);
	const { executionId, resumeToken: token } = started.parse(await response.json());

	const query = new URLSearchParams({ sessionId, executionId, isPublic: 'true', token });
	const socket = new WebSocket(`${url.replace('http', 'ws')}/chat?${String(query)}`);
	const received: string[] = [];
	socket.addEventListener('message', ({ data }) => {
		if (data === HEARTBEAT) socket.send(`${HEARTBEAT}-ack`);
		else received.push(String(data));
	});
	const asked = await waitFor('a question in the chat', QUESTION_LIMIT_MS, () =>
		Promise.resolve(received[0]),
	);
	const { text, buttons } = questionMessage.parse(JSON.parse(asked));
	return {
		executionId,
		question: text,
		async click(button) {
			const link = buttons.find((each) => each.text === button)?.link;
			assert.ok(link, `The question has no button "${button}".`);
			assert.equal((await fetch(link, { headers: BROWSER })).status, 200);
		},
		write: (answer) => socket.send(message(answer)),
	};
}
