import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const LOOPBACK_PEER = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/**
 * Lets only programs of this machine control the sandbox. Host and Origin are checked too, because a
 * web page that is open on this machine can send requests under another host name.
 */
export async function admitOnlyLoopback(
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply | undefined> {
	const { host = '', origin } = request.headers;
	const refusal = !LOOPBACK_PEER.test(request.socket.remoteAddress ?? '')
		? 'The sandbox is controlled from its own machine only.'
		: !isLoopback(`http://${host}`)
			? `The sandbox is controlled as 127.0.0.1 or localhost, not as "${host}".`
			: origin !== undefined && !isLoopback(origin)
				? `Web pages of ${origin} may not control the sandbox.`
				: undefined;
	return refusal === undefined ? undefined : reply.code(403).send({ message: refusal });
}

const isLoopback = (url: string): boolean =>
	URL.canParse(url) && LOOPBACK_NAMES.includes(new URL(url).hostname);
