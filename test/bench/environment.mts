import type { CredentialRef } from '../../host/api/workflow.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { ALICE, twoUsers } from '../../sandbox/test/support/seed.mts';
import { startService as startSandbox, type Service } from '../../sandbox/test/support/service.mts';
import type { Checks } from '../support/checks.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { Results } from './results.mts';
import { startService, TOKEN, type BenchService } from './service.mts';

/** What the parts of the bench share. */
export interface Bench extends TestN8n, Pick<Checks, 'check'> {
	/** for leads and lists */
	service: BenchService;
	credential: CredentialRef;
	/** for what registers a webhook */
	sandbox: Service;
	sandboxCredential: CredentialRef;
	results: Results;
	/** whether n8n has its default settings */
	isDefault: boolean;
	/** small numbers, for the checks only */
	quick: boolean;
	/** how often each of two is measured before, and as often after the other */
	pairs: number;
}

/** Starts n8n and the services of its credentials. @param env settings of n8n */
export async function startBench(
	checks: Checks,
	env: NodeJS.ProcessEnv,
	options: Pick<Bench, 'quick' | 'pairs'>,
): Promise<Bench> {
	const { cleanup, check } = checks;
	const service = await cleanup.use(startService());
	const [alice] = twoUsers().users;
	const seed = { users: [{ ...alice, tool_quota: 10 }] };
	const sandbox = await cleanup.use(startSandbox({ seed }));
	const n8n = await startTestN8n(checks, { env });
	const save = async (name: string, url: string, token: string) =>
		await saveCredential(n8n.editor, name, { url, token });
	const credential = await save('Bench', service.url, TOKEN);
	const sandboxCredential = await save('Sandbox', sandbox.url, ALICE);
	const results = new Results();
	const isDefault = Object.keys(env).length === 0;
	const services = { service, credential, sandbox, sandboxCredential };
	return { ...n8n, ...options, ...services, check, isDefault, results };
}

/**
 * Measures this package and n8n's own nodes in pairs. Each of them begins as often as the other, because n8n's speed
 * changes while it runs.
 */
export async function inPairs<T>(
	{ pairs }: Bench,
	ours: () => Promise<T>,
	theirs: () => Promise<T>,
): Promise<{ ours: T; theirs: T }> {
	const [own, other] = [await ours(), await theirs()];
	for (let pair = 2; pair <= pairs; pair += 1) {
		for (const measure of pair % 2 === 0 ? [theirs, ours] : [ours, theirs]) await measure();
	}
	return { ours: own, theirs: other };
}
