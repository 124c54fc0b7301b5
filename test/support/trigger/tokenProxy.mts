import { request as send } from 'node:http';
import { afterAll } from '@jest/globals';
import { listenOnLoopback } from '../loopback.mts';

/**
 * Starts a proxy in front of the service, through which an account has several API tokens and can revoke
 * them. It passes every request on with the service's own token. Call it at the top of a test file.
 *
 * @param serviceUrl base URL of the service, ending in `/api`
 * @param serviceToken the token of the account there
 */
export async function startTokenProxy(serviceUrl: string, serviceToken: string) {
	const { origin, close } = await listenOnLoopback((request, response) => {
		const given = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
		const authorization = `Bearer ${tokenProxy.tokens.has(given) ? serviceToken : 'revoked'}`;
		const target = new URL(request.url ?? '', serviceUrl);
		const { method, headers } = request;
		const onward = send(target, { method, headers: { ...headers, authorization } }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.on('error', () => response.destroy());
		request.pipe(onward);
	});
	afterAll(close);
	const tokenProxy = {
		/** Base URL, ending in `/api`. */
		url: `${origin}/api`,
		/** The tokens of the account that are valid now. */
		tokens: new Set<string>(),
	};
	return tokenProxy;
}
