import assert from 'node:assert/strict';

import type { Editor } from '../../host/api/editor.mts';
import type { Host } from '../../host/n8n/installN8n.mts';
import { OWNER } from '../../host/n8n/provision.mts';
import { startN8n, type N8n } from '../../host/n8n/startN8n.mts';
import { startN8nWithPackage } from '../../host/n8n/startN8nWithPackage.mts';
import { freePort } from '../../host/process/ports.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import type { Checks } from './checks.mts';

interface TestN8nOptions {
	/** `current` unless given */
	host?: Host;
	/** copies packages into the user folder; only this package unless given */
	install?: (userFolder: string) => Promise<void>;
	/** settings for every start */
	env?: NodeJS.ProcessEnv;
}

/** A new n8n of a suite, with the owner signed in. */
export interface TestN8n {
	/** base URL, the same after each restart */
	url: string;
	userFolder: string;
	editor: Editor;
	/** The process that runs now; each restart makes another one. */
	n8n: () => N8n;
	/**
	 * Stops n8n if it runs, and starts it again with its data.
	 *
	 * @param env settings for this start
	 * @param host the version for this start; the same one unless given
	 */
	restart: (env?: NodeJS.ProcessEnv, host?: Host) => Promise<void>;
}

/**
 * Starts an n8n with an empty user folder and this package for a suite, which prints the end of n8n's
 * log after a failure and stops n8n at the end.
 *
 * @throws Error that names the step that failed
 */
export async function startTestN8n(
	{ cleanup, onFailure }: Checks,
	{ host = 'current', install, env }: TestN8nOptions = {},
): Promise<TestN8n> {
	const userFolder = await temporaryFolder('n8n', cleanup);
	const options = { host, userFolder, port: await freePort(), cleanup };
	const { n8n: first, editor } = await startN8nWithPackage({ ...options, env }, install);
	let n8n = first;
	onFailure("The end of n8n's log", async () => await n8n.logTail());
	return {
		url: n8n.url,
		userFolder,
		editor,
		n8n: () => n8n,
		restart: async (moreEnv, nextHost = host) => {
			await n8n.stop();
			n8n = await startN8n({ ...options, host: nextHost, env: { ...env, ...moreEnv } });
			assert.ok(await editor.signIn(OWNER), 'n8n has another owner.');
		},
	};
}
