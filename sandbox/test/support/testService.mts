import { afterAll, beforeEach } from '@jest/globals';
import { startService, type SandboxOptions, type Service } from './service.mts';

/** Starts a sandbox for all tests of a file, and resets it before each. Call it at the top of the file. */
export async function startTestService(options?: SandboxOptions): Promise<Service> {
	const service = await startService(options);
	beforeEach(() => service.reset());
	afterAll(() => service.close());
	return service;
}

/** Starts a sandbox for one test, which ends with it: `await using own = await startOwnService()`. */
export async function startOwnService(
	options?: SandboxOptions,
): Promise<Service & AsyncDisposable> {
	const service = await startService(options);
	return { ...service, [Symbol.asyncDispose]: () => service.close() };
}
