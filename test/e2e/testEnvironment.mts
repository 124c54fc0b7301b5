import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { openCatalogue, type Catalogue } from '../../host/api/catalogue.mts';
import { openEditor, type Editor } from '../../host/api/editor.mts';
import { hostFolder, type Host } from '../../host/n8n/installN8n.mts';
import { startN8n, type N8n } from '../../host/n8n/startN8n.mts';
import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import { freePort } from '../../host/process/ports.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import type { CredentialRef } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import { startService, type Service } from '../support/sandbox/service.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { CAROL, seed } from './seed.mts';
import { packTarball, placeNpm, type Tarball } from './tarball.mts';

/** A fresh n8n and the service it talks to. */
export interface Stage {
	host: Host;
	tarball: Tarball;
	/** n8n's user folder, fresh */
	userFolder: string;
	/** base URL of n8n, the same over restarts */
	url: string;
	editor: Editor;
	catalogue: Catalogue;
	service: Service;
	/** The end of n8n's log. */
	log: () => Promise<string>;
	/** Ends n8n, politely or on the spot (kill -9). */
	stop: (how: 'politely' | 'at once') => Promise<void>;
	/** Starts n8n again with its data. */
	startAgain: () => Promise<void>;
}

/** Packs the package and starts n8n, with that package in reach of its installer, and the service. */
export async function setTheStage({ lifetime }: Checks, host: Host): Promise<Stage> {
	const temporary = await mkdtemp(join(tmpdir(), 'e2e-'));
	await lifetime.atEnd(async () => await rm(temporary, { recursive: true, force: true }));
	const tarball = await packTarball(temporary);
	const shim = join(temporary, 'bin');
	await placeNpm(shim, tarball);

	const service = await startService({ seed: seed() });
	await lifetime.atEnd(async () => await service.close());

	const userFolder = join(temporary, 'n8n');
	const port = await freePort();
	const env = { PATH: [shim, process.env.PATH].join(delimiter) };
	const launch = async (): Promise<N8n> =>
		await startN8n({ folder: hostFolder(host), userFolder, port, env, lifetime });
	let n8n = await launch();

	const editor = openEditor(n8n.url);
	await editor.signIn(OWNER);
	return {
		host,
		tarball,
		userFolder,
		url: n8n.url,
		editor,
		catalogue: openCatalogue(editor.rest),
		service,
		log: async () => await n8n.logTail(),
		stop: async (how) => {
			await (how === 'politely' ? n8n.stop() : n8n.kill());
		},
		startAgain: async () => {
			n8n = await launch();
			await editor.signIn(OWNER);
		},
	};
}

/** The credentials that the checks use. */
export interface Credentials {
	alice: CredentialRef;
	carol: CredentialRef;
}

/** Makes a credential for each user of the service. */
export async function makeCredentials({ editor, service }: Stage): Promise<Credentials> {
	const save = async (name: string, apiToken: string): Promise<CredentialRef> =>
		await editor.saveCredential(CREDENTIAL_TYPE, name, { baseUrl: service.url, apiToken });
	return { alice: await save('Alice', ALICE), carol: await save('Carol', CAROL) };
}
