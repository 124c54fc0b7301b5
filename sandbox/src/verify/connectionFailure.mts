/** By the code of the error: what is wrong. */
const CAUSES: Array<[codes: RegExp, sentence: (host: string) => string]> = [
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		(host) => `There is no host ${host}. Check the Base URL for typing errors.`,
	],
	[/^ECONNREFUSED$/, (host) => `Nothing listens at ${host}. Check host and port of the Base URL.`],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/,
		(host) =>
			`The certificate of ${host} is not valid. Check the host of the Base URL, or ask the provider.`,
	],
	[
		/^(EPROTO|ERR_SSL)/,
		(host) => `${host} does not speak TLS. Check whether the Base URL begins with http or https.`,
	],
	[/^(ECONNRESET|UND_ERR_SOCKET)$/, (host) => `${host} closed the connection.`],
];

const codeOf = (error: unknown): string => {
	if (typeof error !== 'object' || error === null) return '';
	const code: unknown = Reflect.get(error, 'code');
	return typeof code === 'string' ? code : codeOf(Reflect.get(error, 'cause'));
};

/** Why no response came, in words. @param proxy URL of the proxy of the request; empty without one */
export function connectionFailure(error: unknown, { host }: URL, proxy = ''): string {
	if (error instanceof Error && error.name === 'TimeoutError')
		return `${host} did not answer in time.`;
	const code = codeOf(error);
	// A certificate is that of the host, all else can be the proxy's.
	if (proxy !== '' && !/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) {
		return `The proxy ${new URL(proxy).host} did not connect to ${host} (${code || 'no reason given'}). Check HTTPS_PROXY and NO_PROXY, and the Base URL.`;
	}
	const [, sentence] = CAUSES.find(([codes]) => codes.test(code)) ?? [];
	return sentence?.(host) ?? `The connection to ${host} failed (${code || 'no reason given'}).`;
}
