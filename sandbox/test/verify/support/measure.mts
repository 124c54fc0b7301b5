import { createSandboxClient } from '../../../client.mts';
import { createSandbox } from '../../../index.mts';
import { type Result, verifyAccount } from '../../../src/verify/verify.mts';
import { account, TOKEN } from './account.mts';
import { startProxy } from './proxy.mts';

/** Verifies an account, without pauses. */
export async function verifyAt(baseUrl: string, { token = TOKEN, withRefused = true } = {}) {
	const { signal } = new AbortController();
	return await verifyAccount({ baseUrl, token, withRefused, pause: 0, signal });
}

/** A sandbox with an account that shows everything. It ends with the test: `await using`. */
export async function startProvider(seed: object = account()) {
	const sandbox = await createSandbox({ port: 0, seed });
	const control = createSandboxClient(sandbox.control);
	return { url: sandbox.url, control, [Symbol.asyncDispose]: () => sandbox.close() };
}

/** What a service answers instead: a status, or another body, made of its own. */
export type Other = number | ((body: Answer) => unknown);
interface Answer {
	data: Array<{ [field: string]: unknown }>;
	[field: string]: unknown;
}

/** What verify finds where the service answers otherwise to some requests, by the end of their path. */
export async function verifyWith(
	others: { [path: string]: Other },
	options?: Parameters<typeof verifyAt>[1],
): Promise<Result> {
	await using provider = await startProvider();
	const otherFor = ({
		path,
		authorization,
	}: {
		path: string;
		authorization?: string | undefined;
	}) => {
		const [, other] =
			Object.entries(others).find(([end]) => path.split('?')[0]?.endsWith(end)) ?? [];
		return authorization === undefined ? undefined : other;
	};
	await using proxy = await startProxy(provider.url, {
		before(request) {
			const other = otherFor(request);
			if (typeof other === 'number') return other;
			return undefined;
		},
		after(request, text) {
			const other = otherFor(request);
			return typeof other === 'function'
				? JSON.stringify(other(JSON.parse(text) as Answer))
				: undefined;
		},
	});
	return await verifyAt(proxy.url, options);
}

/** What it tells about a topic, without the words: `[['ok', []]]`. */
export const told = ({ findings }: Result, topic: string) =>
	findings
		.filter((each) => each.topic === topic)
		.map(({ outcome, paths }) => [outcome, paths ?? []]);
