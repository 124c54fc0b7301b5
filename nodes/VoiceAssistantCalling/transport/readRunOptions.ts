import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isOn } from '../../shared/fields/booleans';
import { asText } from '../../shared/values/json';
import { checkField } from '../fields/checkFields';
import { flatten, requestOptionLabel } from '../fields/fieldLabels';
import {
	DEFAULT_CONCURRENCY,
	DEFAULT_TIMEOUT_MS,
	requestOptions,
} from '../resources/requestOptions';

/** The Request Options of a run. */
export interface RunOptions {
	/** The most requests at the same time. */
	limit: number;
	/** The options that each request carries. */
	http: Pick<IHttpRequestOptions, 'timeout' | 'proxy' | 'skipSslCertificateValidation'>;
}

/**
 * Decodes a user name or a password. A percent sign that encodes nothing is a part of it.
 *
 * @returns undefined when a code is no UTF-8
 */
function decoded(part: string): string | undefined {
	try {
		return decodeURIComponent(part.replace(/%(?![0-9a-f]{2})/gi, '%25'));
	} catch {
		return undefined;
	}
}

const PROXY = `'${requestOptionLabel('Proxy')}'`;

/** `http://user:password@proxy.example.com:3128` in n8n's form. */
function toProxy(text: string): IHttpRequestOptions['proxy'] {
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		throw new InvalidInput({
			message: `${PROXY} is not an address`,
			nextStep: 'Enter an address such as http://proxy.example.com:3128. Nothing was sent.',
		});
	}
	const url = new URL(text);
	const { protocol, hostname, port } = url;
	const username = decoded(url.username);
	const password = decoded(url.password);
	if (username === undefined || password === undefined) {
		throw new InvalidInput({
			message: `${PROXY} has a percent sign in its user name or password that cannot be read`,
			nextStep: 'Write %25 for a percent sign. Nothing was sent.',
		});
	}
	return {
		protocol: protocol.slice(0, -1),
		host: hostname,
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		...(username && { auth: { username, password } }),
	};
}

/** Such a host is reached without a network, so nobody on the way reads what is sent. */
const OVER_NETWORK = /^http:\/\/(?!(?:localhost|127(?:\.\d+){3}|\[::1\])[:/])/;

/**
 * Refuses to send a token through a proxy that would read it.
 *
 * @param baseUrl where the requests go
 * @throws {InvalidInput} where no https hides them from the proxy
 */
export function checkProxy(baseUrl: string, { proxy }: RunOptions['http']): void {
	if (!proxy || !OVER_NETWORK.test(baseUrl)) return;
	throw new InvalidInput({
		message: `${PROXY} cannot be used with a Base URL that begins with http://, because the proxy could read the API token`,
		nextStep: `Enter a Base URL that begins with https:// in the credential, or remove ${PROXY}. Nothing was sent.`,
	});
}

/** The Request Options that apply to the whole run. `defaultCountryCode` can differ for each item. */
const RUN_OPTIONS = (requestOptions.options ?? [])
	.map(({ name }) => name)
	.filter((name) => name !== 'defaultCountryCode');

/** What the user entered for the whole run: the values for the first item. */
export const enteredRunOptions = (
	context: Pick<IExecuteFunctions, 'getNodeParameter'>,
): Record<string, unknown> =>
	Object.fromEntries(
		RUN_OPTIONS.map((name): [string, unknown] => [
			name,
			context.getNodeParameter(`${requestOptions.name}.${name}`, 0, ''),
		]),
	);

/**
 * Reads the Request Options that apply to the whole run.
 *
 * @param entered see {@link enteredRunOptions}
 * @throws {InvalidInput} that names a wrong option, or two that together show the token to a proxy
 */
export function readRunOptions(entered: Record<string, unknown> = {}): RunOptions {
	for (const option of flatten([requestOptions])) {
		checkField(option, entered[option.name], requestOptionLabel(option.displayName));
	}
	const { maxConcurrentRequests, timeout, proxy, allowUnauthorizedCerts } = entered;
	const skipSslCertificateValidation = isOn(allowUnauthorizedCerts);
	if (proxy && skipSslCertificateValidation) {
		throw new InvalidInput({
			message: `${PROXY} cannot be used with 'Ignore SSL Issues (Insecure)', because the proxy could read the API token`,
			nextStep: `Remove one of them. For a certificate of your company, set NODE_EXTRA_CA_CERTS on n8n's server to the file of its issuer. Nothing was sent.`,
		});
	}
	return {
		limit: Number(maxConcurrentRequests || DEFAULT_CONCURRENCY),
		http: {
			timeout: Number(timeout || DEFAULT_TIMEOUT_MS),
			skipSslCertificateValidation,
			...(proxy ? { proxy: toProxy(asText(proxy)) } : {}),
		},
	};
}
