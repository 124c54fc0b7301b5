import { isIP } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** Whether nobody but this machine reaches a server that listens there. */
export const isLoopback = (host: string): boolean =>
	host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Whether a URL is one of this machine's loopback addresses. A URL has IPv6 addresses in brackets. */
export const isLoopbackUrl = (url: string): boolean =>
	URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'));

/** Whether a server that listens there listens on all addresses of the machine. */
const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The beginning of a server's URLs, for whoever is on this machine. */
export function toOrigin(host: string, port: number): string {
	const reachable = isAnyAddress(host) ? LOOPBACK : host;
	return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}
