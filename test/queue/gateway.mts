import { request as send } from 'node:http';

import { listenOnLoopback } from '../support/loopback.mts';

const CHECK_INTERVAL_MS = 250;
const CHECK_LIMIT_MS = 2_000;
/** What docs/scaling.md has a gateway send to the webhook process. */
const FROM_OUTSIDE = /^\/(webhook|webhook-waiting|form|form-waiting|mcp)\//;

/** What stands before n8n, as a reverse proxy does for users. */
export interface Gateway {
	/** without a slash at the end */
	url: string;
	close: () => Promise<void>;
}

/**
 * Starts a proxy that passes events on to the webhook process, and everything else to main. While the
 * webhook process does not say that it is ready, events are answered with 503: one that is still
 * starting answers 404, or even 200, and drops what it was sent (n8n 2.41).
 *
 * @param targets base URLs of the two
 */
export async function startGateway(targets: { main: string; webhook: string }): Promise<Gateway> {
	let ready = false;
	const check = async (): Promise<void> => {
		const signal = AbortSignal.timeout(CHECK_LIMIT_MS);
		const answer = fetch(`${targets.webhook}/healthz/readiness`, { signal });
		ready = await answer.then(
			({ ok }) => ok,
			() => false,
		);
	};
	const timer = setInterval(() => void check(), CHECK_INTERVAL_MS);

	const { origin, close } = await listenOnLoopback((request, response) => {
		const { method, headers, url = '/' } = request;
		const isEvent = FROM_OUTSIDE.test(url);
		if (isEvent && !ready) {
			response.writeHead(503).end();
			return;
		}
		const target = isEvent ? targets.webhook : targets.main;
		// A connection for each request: one that is kept could be closed just when it is used.
		const onward = send(`${target}${url}`, { method, headers, agent: false }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.once('error', () => {
			if (isEvent) ready = false;
			if (response.headersSent) response.destroy();
			else response.writeHead(502).end();
		});
		request.pipe(onward);
	});
	return {
		url: origin,
		close: async () => {
			clearInterval(timer);
			await close();
		},
	};
}
