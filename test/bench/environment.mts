import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openEditor, type Editor } from '../../host/api/editor.mts';
import { hostFolder } from '../../host/n8n/installN8n.mts';
import { startN8n, type N8n } from '../../host/n8n/startN8n.mts';
import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { freePort } from '../../host/process/ports.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { placePackage } from '../../host/n8n/installPackage.mts';
import type { CredentialRef } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import { startBenchService, type BenchService } from './serviceClient.mts';

/** One n8n with this package, and the service that its credential names. */
export interface BenchEnvironment {
	editor: Editor;
	credential: CredentialRef;
	service: BenchService;
	/** n8n's user folder */
	userFolder: string;
	/** The n8n that is running now; another one after each restart. */
	n8n: () => N8n;
	/** Ends n8n and starts it again with its data. @param settings environment variables, only for this start */
	restart: (settings?: Record<string, string>) => Promise<void>;
}

/** Starts the service and an n8n that has nothing but this package and its owner. */
export async function startEnvironment(checks: Checks): Promise<BenchEnvironment> {
	const { lifetime } = checks;
	const temporary = await mkdtemp(join(tmpdir(), 'bench-'));
	await lifetime.atEnd(async () => await rm(temporary, { recursive: true, force: true }));
	const service = await startBenchService(temporary, lifetime);

	const userFolder = join(temporary, 'n8n');
	await placePackage(userFolder);
	const minimalTrigger = join(import.meta.dirname, 'minimalTrigger');
	const packages = join(userFolder, '.n8n', 'nodes', 'node_modules');
	await cp(minimalTrigger, join(packages, 'n8n-nodes-minimal-trigger'), { recursive: true });
	const port = await freePort();
	const launch = async (env: Record<string, string> = {}): Promise<N8n> =>
		await startN8n({ folder: hostFolder('current'), userFolder, port, env, lifetime });
	let n8n = await launch();
	checks.onFailure("The end of n8n's log", async () => await n8n.logTail());

	const editor = openEditor(n8n.url);
	await editor.signIn(OWNER);
	const credential = await editor.saveCredential(CREDENTIAL_TYPE, 'Bench', {
		baseUrl: service.url,
		apiToken: 'bench-token',
	});
	return {
		editor,
		credential,
		service,
		userFolder,
		n8n: () => n8n,
		restart: async (settings) => {
			await n8n.stop();
			n8n = await launch(settings);
			await editor.signIn(OWNER);
		},
	};
}
