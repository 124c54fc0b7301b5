import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import type { CredentialRef } from '../../host/api/workflow.mts';
import { installPackage, packagesFolder } from '../../host/n8n/installPackage.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import type { Cleanup } from '../../host/process/cleanup.mts';
import type { Checks } from '../support/checks.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { startBenchService, type BenchService } from './serviceClient.mts';

/** A new n8n with this package and the minimal trigger, and the service of its credential. */
export interface BenchEnvironment extends TestN8n {
	credential: CredentialRef;
	/** with the token of the item's account, see {@link tokenOf} */
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
	const { url } = service;
	const credential = await saveCredential(n8n.editor, 'Bench', { url, token: 'bench-token' });
	const perItem = { url, token: '={{ $json.token }}' };
	const credentialPerItem = await saveCredential(n8n.editor, 'Bench, per item', perItem);
	return { ...n8n, service, credential, credentialPerItem, cleanup: checks.cleanup };
}
