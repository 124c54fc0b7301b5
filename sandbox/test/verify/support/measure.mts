import { createSandboxClient } from '../../../client.mts';
import { createSandbox } from '../../../index.mts';
import { LEVELS, type Level } from '../../../src/verify/check.mts';
import { type Result, verifyAccount } from '../../../src/verify/verify.mts';
import type { SandboxOptions } from '../../support/service.mts';
import { account, TOKEN } from './account.mts';

/** Verifies an account, without pauses. */
export const verifyAt = (
	baseUrl: string,
	{ token = TOKEN, levels = LEVELS }: { token?: string; levels?: readonly Level[] } = {},
): Promise<Result> =>
	verifyAccount({
		baseUrl,
		token,
		levels,
		pause: 0,
		signal: new AbortController().signal,
	});

/** A sandbox with an account that shows everything. It ends with the test: `await using`. */
export async function startProvider(options: SandboxOptions = {}) {
	const sandbox = await createSandbox({ port: 0, seed: account(), ...options });
	const control = createSandboxClient(sandbox.control);
	return {
		url: sandbox.url,
		control,
		[Symbol.asyncDispose]: () => sandbox.close(),
	};
}

/** What verify finds at a sandbox with these values. */
export async function measure(assume: { [key: string]: unknown }): Promise<Result> {
	await using provider = await startProvider({ assume });
	// The sandbox ends with this function.
	return await verifyAt(provider.url);
}
