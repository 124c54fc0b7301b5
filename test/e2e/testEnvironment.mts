import { delimiter, join } from 'node:path';

import { openCatalogue, type Catalogue } from '../../host/api/catalogue.mts';
import type { CredentialRef } from '../../host/api/workflow.mts';
import type { Host } from '../../host/n8n/installN8n.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import type { Checks } from '../support/checks.mts';
import { ALICE } from '../../sandbox/test/support/seed.mts';
import {
	startService,
	type SandboxOptions,
	type Service,
} from '../../sandbox/test/support/service.mts';
import { ORDINARY_WEATHER } from '../support/ordinaryWeather.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { CAROL, seed } from './seed.mts';
import { packTarball, writeNpmShim, type Tarball } from './tarball.mts';

/** A new n8n without the package, the service, and the checks. */
export interface E2eServers extends TestN8n, Checks {
	host: Host;
	tarball: Tarball;
	/** Makes n8n's installer find the tarballs of a folder. At first it finds those beside `tarball`. */
	offerTarballs: (folder: string) => Promise<void>;
	catalogue: Catalogue;
	service: Service;
}

/** Today's n8n meets an ordinary service, the oldest one a service that is quick and sure. */
const weatherFor = (host: Host): SandboxOptions => (host === 'oldest' ? {} : ORDINARY_WEATHER);

/** Packs the package, and starts the service and an n8n whose installer finds the package. */
export async function startE2eServers(checks: Checks, host: Host): Promise<E2eServers> {
	const folder = await temporaryFolder('e2e', checks.cleanup);
	const tarball = await packTarball(folder);
	const npmFolder = join(folder, 'bin');
	const offerTarballs = async (tarballs: string): Promise<void> => {
		await writeNpmShim(npmFolder, tarballs);
	};
	await offerTarballs(folder);
	const service = await checks.cleanup.use(startService({ seed: seed(), ...weatherFor(host) }));
	const n8n = await startTestN8n(checks, {
		host,
		// The suite lets n8n install it.
		install: async () => {},
		env: { PATH: [npmFolder, process.env.PATH].join(delimiter) },
	});
	const catalogue = openCatalogue(n8n.editor.rest);
	return { ...checks, ...n8n, host, tarball, offerTarballs, catalogue, service };
}

/** The servers, and a credential for each user of the service; the package is installed. */
export interface E2eEnvironment extends E2eServers {
	alice: CredentialRef;
	carol: CredentialRef;
}

/** Stores the credentials. */
export async function withCredentials(servers: E2eServers): Promise<E2eEnvironment> {
	const { editor, service } = servers;
	const { url } = service;
	const alice = await saveCredential(editor, 'Alice', { url, token: ALICE });
	const carol = await saveCredential(editor, 'Carol', { url, token: CAROL });
	return { ...servers, alice, carol };
}

/** A service of one subject, so that other checks do not change it, and credentials for it. */
type OwnService = Service & Record<'aliceRef' | 'carolRef', CredentialRef>;

/** Starts a service, which stops at the end of the suite. @param name of the credentials @param options of the service */
export async function startOwnService(
	{ cleanup, editor }: E2eServers,
	name: string,
	options: SandboxOptions = {},
): Promise<OwnService> {
	// The clock agrees with n8n's, because a poll asks for the calls of a time.
	const clock = { mode: 'manual', now: new Date().toISOString() } as const;
	const service = await cleanup.use(startService({ seed: seed(), clock, ...options }));
	const { url } = service;
	const aliceRef = await saveCredential(editor, `Alice, ${name}`, { url, token: ALICE });
	const carolRef = await saveCredential(editor, `Carol, ${name}`, { url, token: CAROL });
	return { ...service, aliceRef, carolRef };
}
