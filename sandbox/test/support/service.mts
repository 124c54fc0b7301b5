import { createSandboxClient, type SandboxClient } from '../../client.mts';
import { createSandbox } from '../../index.mts';
import { serviceClient, type ServiceClient } from './client.mts';
import { ALICE, BOB, NOW, twoUsers } from './seed.mts';

/** What createSandbox takes. */
export type SandboxOptions = NonNullable<Parameters<typeof createSandbox>[0]>;

export interface Service {
	readonly url: string;
	readonly controlUrl: string;
	readonly alice: ServiceClient;
	readonly bob: ServiceClient;
	readonly control: SandboxClient;
	as(token: string): ServiceClient;
	reset(): Promise<void>;
	close(): Promise<void>;
}

/** Starts a sandbox of its own on a free port: two users, and a clock that only moves when told to. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
	const sandbox = await createSandbox({
		port: 0,
		seed: twoUsers(),
		clock: { mode: 'manual', now: NOW },
		...options,
	});
	return {
		url: sandbox.url,
		controlUrl: sandbox.control,
		alice: serviceClient(sandbox.url, ALICE),
		bob: serviceClient(sandbox.url, BOB),
		control: createSandboxClient(sandbox.control),
		as: (token) => serviceClient(sandbox.url, token),
		reset: () => sandbox.reset(),
		close: () => sandbox.close(),
	};
}
