import type { Exchange } from '../hostileServer.mts';
import type { Behaviour } from './behaviour.mts';
import { reply } from './replies.mts';

const redirect = (
	status: number,
	where: string,
	location: (exchange: Exchange) => string,
): Behaviour => ({
	name: `${status} to ${where}`,
	handler: (exchange) => reply(status, '', { Location: location(exchange) })(exchange),
});

/** Redirects to another host, and without end. */
export const redirects: Behaviour[] = [
	...[301, 302, 303, 307, 308].map((status) =>
		redirect(status, 'another host', ({ elsewhere, request }) => elsewhere + request.url),
	),
	...[302, 307].map((status) => redirect(status, 'itself', ({ request }) => request.url)),
];
