import { createSandboxClient } from '../../../client.mts';
import { createSandbox } from '../../../index.mts';
import type { ServiceName } from '../../../src/contract/serviceNames.mts';
import { type Result, verifyAccount } from '../../../src/verify/verify.mts';
import { account, TOKEN } from './account.mts';
import { startProxy, type ForwardedRequest } from './proxy.mts';

/** Verifies an account, without pauses. */
export async function verifyAt(baseUrl: string, { token = TOKEN, withRefused = true } = {}) {
	const { signal } = new AbortController();
	return await verifyAccount({ baseUrl, token, withRefused, pause: 0, signal });
}

/** A sandbox with an account that shows everything. It ends with the test: `await using`. */
export async function startProvider(seed: object = account(), service?: ServiceName) {
	const sandbox = await createSandbox({ port: 0, seed, service });
	const control = createSandboxClient(sandbox.control);
	return { url: sandbox.url, control, [Symbol.asyncDispose]: () => sandbox.close() };
}

/** A page of the service. */
interface Page {
	data: Array<{ [field: string]: unknown }>;
}

/** What a service answers instead: a status, or another body, made of its own. */
export type Other = number | ((page: Page) => unknown);

/** What verify finds where the service answers otherwise to some requests, by the end of their path. */
export async function verifyWith(
	others: { [path: string]: Other },
	options?: Parameters<typeof verifyAt>[1],
): Promise<Result> {
	const otherFor = ({ path, authorization }: ForwardedRequest): Other | undefined => {
		const end = Object.keys(others).find((each) => path.replace(/\?.*/, '').endsWith(each)) ?? '';
		return authorization === undefined ? undefined : others[end];
	};
	await using provider = await startProvider();
	await using proxy = await startProxy(provider.url, {
		before(request) {
			const other = otherFor(request);
			return typeof other === 'number' ? other : undefined;
		},
		after(request, text) {
			const other = otherFor(request);
			if (typeof other !== 'function') return undefined;
			return JSON.stringify(other(JSON.parse(text) as Page));
		},
	});
	return await verifyAt(proxy.url, options);
}
