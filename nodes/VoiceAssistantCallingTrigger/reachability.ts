const PRIVATE =
	/^(localhost|.*\.(localhost|local|internal|lan|home\.arpa)|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|169\.254\..*|0\.0\.0\.0|\[(::1|f[cd].*|fe80.*)\]|[^.:]+)$/i;

/**
 * Tells whether an address can only be reached from the same machine or network.
 *
 * @param url a valid address
 */
export const isPrivate = (url: string): boolean => PRIVATE.test(new URL(url).hostname);

/**
 * Finds out why a service could not deliver to a webhook address. A service on one's own machine or
 * network, like the sandbox, may deliver to any address.
 *
 * @param baseUrl where the service is
 * @param webhookUrl where it is to deliver to
 * @returns what to do about it, in words; undefined when nothing speaks against it
 */
export function whyUnreachable(baseUrl: string, webhookUrl: string): string | undefined {
	const { protocol, origin } = new URL(webhookUrl);
	if (isPrivate(baseUrl) || (protocol === 'https:' && !isPrivate(webhookUrl))) return undefined;
	return `The service cannot deliver calls to this n8n, because its webhook address is ${origin}, which is not a public https address. Set WEBHOOK_URL to the public https address of this n8n, restart it and publish the workflow again.`;
}
