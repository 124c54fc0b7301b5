import { request as send } from 'node:http';
import { listenOnLoopback } from '../loopback.mts';

/** A provider's tokenProxy in front of the service: an account may have several API tokens, and revoke them. */
export interface TokenProxy {
	/** Base URL, ending in `/api`. */
	url: string;
	/** The tokens that stand for the account now. */
	tokens: Set<string>;
	close(): Promise<void>;
}

/**
 * Starts a tokenProxy that passes everything on to a service and replaces the token.
 *
 * @param serviceUrl base URL of the service, ending in `/api`
 * @param serviceToken the token of the account there
 */
export async function startTokenProxy(serviceUrl: string, serviceToken: string): Promise<TokenProxy> {
	const { origin, close } = await listenOnLoopback((request, response) => {
		const given = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
		const authorization = tokenProxy.tokens.has(given) ? `Bearer ${serviceToken}` : 'Bearer revoked';
		const target = new URL(request.url ?? '', serviceUrl);
		const { method, headers } = request;
		const onward = send(target, { method, headers: { ...headers, authorization } }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.on('error', () => response.destroy());
		request.pipe(onward);
	});
	const tokenProxy: TokenProxy = { url: `${origin}/api`, tokens: new Set(), close };
	return tokenProxy;
}
