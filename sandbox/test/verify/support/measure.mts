import { createSandboxClient } from '../../../client.mts';
import { createSandbox } from '../../../index.mts';
import type { Level } from '../../../src/verify/check.mts';
import { type Result, verifyAccount } from '../../../src/verify/verify.mts';
import type { SandboxOptions } from '../../support/service.mts';
import { account, TOKEN } from './account.mts';

/** The levels that create nothing. */
export const HARMLESS = ['address', 'read', 'refused'] as const satisfies Level[];

/** Nobody is asked at these levels. */
const noQuestions = {
	confirm: () => Promise.reject(new Error('a question')),
	tell: (line: string) => {
		throw new Error(line);
	},
};

/** Verifies an account, without pauses. */
export const verifyAt = (
	baseUrl: string,
	{ token = TOKEN, levels = HARMLESS }: { token?: string; levels?: readonly Level[] } = {},
): Promise<Result> =>
	verifyAccount({
		target: { baseUrl },
		token,
		levels,
		pause: 0,
		signal: new AbortController().signal,
		questions: noQuestions,
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

/** The findings that differ, with what provider.yaml has of them. */
export const differences = ({ findings }: Result): { [key: string]: unknown } =>
	Object.fromEntries(
		findings.flatMap((finding) =>
			finding.outcome === 'differs' ? [[finding.key, finding.value] as const] : [],
		),
	);
