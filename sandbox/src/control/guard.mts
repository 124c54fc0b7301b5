import { createHash, timingSafeEqual } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { isLoopback, isLoopbackUrl } from '../base/address.mts';

/** Answers a refused request; returns undefined for an admitted one. */
type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/**
 * Lets only programs of this machine control the sandbox. Origin is checked too, because a web page
 * that is open on this machine can send requests. The server has checked the host name.
 */
export const admitOnlyLoopback: Guard = async (request, reply) => {
	const { origin } = request.headers;
	const refusal = !isLoopback(request.socket.remoteAddress ?? '')
		? 'The sandbox is controlled from its own machine only.'
		: origin !== undefined && !isLoopbackUrl(origin)
			? `Web pages of ${origin} may not control the sandbox.`
			: undefined;
	return refusal === undefined ? undefined : reply.code(403).send({ message: refusal });
};

/**
 * Lets whoever has the token control the sandbox: a program sends it as a bearer token, a browser once
 * in the query and then as a cookie. Another host name needs no check here: its pages have no cookie.
 *
 * @param path where the control API is, and the only place that the cookie is sent to
 */
export function admitWithToken(token: string, path: string): Guard {
	const isToken = (text: unknown): boolean =>
		typeof text === 'string' && timingSafeEqual(digest(text), digest(token));

	return async (request, reply) => {
		const { authorization, origin, host = '' } = request.headers;
		if (isToken(/^Bearer +(.+)$/i.exec(authorization ?? '')?.[1])) return undefined;
		if (request.method === 'GET' && isToken((request.query as { token?: unknown }).token)) {
			const [page] = request.url.split('?');
			const cookie = `${cookieName(request)}=${token}; Path=${path}; HttpOnly; SameSite=Strict`;
			// The address bar and the history must not keep the token.
			return reply.header('set-cookie', cookie).redirect(page ?? path, 303);
		}
		if (!isToken(readCookie(request))) {
			const message = `The control pages need the token that the sandbox printed at its start. In a browser, open ${path}/?token=… once; a program sends "Authorization: Bearer …".`;
			return reply.code(401).send({ message });
		}
		// Cookies ignore ports, so pages of other ports send it too.
		if (origin === undefined || origin === `http://${host}`) return undefined;
		return reply.code(403).send({ message: `Web pages of ${origin} may not control the sandbox.` });
	};
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The cookie has the port in its name, because the sandboxes of a host share their cookies. */
const cookieName = ({ socket }: FastifyRequest): string =>
	`sandbox_control_token_${socket.localPort}`;

function readCookie(request: FastifyRequest): string | undefined {
	const start = `${cookieName(request)}=`;
	const pairs = (request.headers.cookie ?? '').split('; ');
	return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}
