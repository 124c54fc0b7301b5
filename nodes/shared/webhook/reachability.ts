/** Names without a dot, and endings that exist only in a local network. */
const PRIVATE_NAME = /^([^.:]+|.*\.(localhost|local|internal|lan|home\.arpa))\.?$/;

const PRIVATE_IPV4 =
	/^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;

/** Loopback and all other addresses that begin with ::, unique local, link-local. */
const PRIVATE_IPV6 = /^\[(::.*|f[cd]..:.*|fe[89ab].:.*)\]$/;

/**
 * Tells whether a URL can only be reached from the same machine or network.
 *
 * @param url a valid URL. `URL` writes hosts in lower case and IP addresses in one form
 */
export function isPrivate(url: string): boolean {
	const { hostname } = new URL(url);
	return [PRIVATE_NAME, PRIVATE_IPV4, PRIVATE_IPV6].some((pattern) => pattern.test(hostname));
}

/**
 * Finds out why a service cannot reach a webhook. A service on the same machine or network, such as the
 * sandbox, can reach any URL.
 *
 * @param baseUrl of the service
 * @param webhookUrl the URL to register
 * @returns a message for the user, or undefined when the service can probably reach the webhook
 */
export function whyUnreachable(baseUrl: string, webhookUrl: string): string | undefined {
	const { protocol, origin } = new URL(webhookUrl);
	if (isPrivate(baseUrl) || (protocol === 'https:' && !isPrivate(webhookUrl))) return undefined;
	return `The service cannot reach this n8n, because its webhook URL begins with ${origin}, which is not a public https address. Set the environment variable WEBHOOK_URL to the public https address of this n8n, restart n8n and try again.`;
}

/**
 * What n8n's log says of a URL with a path in front of `/webhook/`: n8n does not answer there, also where
 * `N8N_PATH` has it, which its editor needs (n8n.md#webhook-path).
 */
export function prefixNote(webhookUrl: string): string | undefined {
	const [, prefix] = /^(\/.+)\/webhook(?:-test)?\//.exec(new URL(webhookUrl).pathname) ?? [];
	if (prefix === undefined) return undefined;
	return `The registered webhook URL has ${prefix} in front of /webhook/. Calls arrive only if the proxy in front of n8n removes ${prefix}, because n8n uses N8N_PATH for its editor and not for webhooks.`;
}
