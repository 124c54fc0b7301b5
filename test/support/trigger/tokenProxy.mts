import { request as send } from 'node:http';
import { afterAll } from '@jest/globals';
import { listenOnLoopback } from '../loopback.mts';

/** A proxy in front of the service, through which an account has several API tokens and can revoke them. */
export interface TokenProxy {
	/** Base URL, ending in `/api`. */
	url: string;
	/** The tokens of the account that are valid now. */
	tokens: Set<string>;
}

/**
 * Starts a proxy that passes every request on to the service with the service's own token. Call it at
 * the top of a test file.
 *
 * @param serviceUrl base URL of the service, ending in `/api`
 * @param serviceToken the token of the account there
 */
export async function startTokenProxy(
	serviceUrl: string,
	serviceToken: string,
): Promise<TokenProxy> {
	const { origin, close } = await listenOnLoopback((request, response) => {
		const given = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
		const authorization = tokenProxy.tokens.has(given)
			? `Bearer ${serviceToken}`
			: 'Bearer revoked';
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
	const tokenProxy: TokenProxy = { url: `${origin}/api`, tokens: new Set() };
	return tokenProxy;
}
