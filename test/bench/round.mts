import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import type { CredentialRef } from '../../host/api/workflow.mts';
import { installPackage, packagesFolder } from '../../host/n8n/installPackage.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import type { Cleanup } from '../../host/process/cleanup.mts';
import type { Checks } from '../support/checks.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import type { Results } from './results.mts';
import { startBenchService, TOKEN, type BenchService } from './serviceClient.mts';

/** One round of the bench. */
export interface Round {
	environment: BenchEnvironment;
	results: Results;
	/** small numbers, for the checks only */
	quick: boolean;
	check: (name: string, work: () => Promise<void>) => Promise<void>;
}

/** A new n8n with this package and the minimal trigger, and the service of its credential. */
export interface BenchEnvironment extends TestN8n {
	credential: CredentialRef;
	/** with the token of each item */
	credentialPerItem: CredentialRef;
	service: BenchService;
	cleanup: Cleanup;
}

/** Starts the service and n8n. */
export async function startBenchEnvironment(checks: Checks): Promise<BenchEnvironment> {
	const service = await startBenchService(checks.cleanup);
	const n8n = await startTestN8n(checks, {
		install: async (userFolder) => {
			await installPackage(userFolder);
			const target = join(packagesFolder(userFolder), 'n8n-nodes-minimal-trigger');
			await cp(join(import.meta.dirname, 'minimalTrigger'), target, { recursive: true });
		},
	});
	const save = async (name: string, token: string): Promise<CredentialRef> =>
		await saveCredential(n8n.editor, name, { url: service.url, token });
	const credential = await save('Bench', TOKEN);
	const credentialPerItem = await save('Bench, per item', '={{ $json.token }}');
	return { ...n8n, service, credential, credentialPerItem, cleanup: checks.cleanup };
}
