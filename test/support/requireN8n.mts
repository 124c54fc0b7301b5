import { installN8n, type Host } from '../../host/n8n/installN8n.mts';
import type { Checks } from './checks.mts';

/** More than the limits of its steps, which name the step. */
const INSTALL_LIMIT_MS = 80 * 60_000;

/** Installs the n8n of a host, unless it is installed; a failure ends the suite. */
export async function requireN8n({ require, cleanup }: Checks, host: Host): Promise<void> {
	await require(`n8n is installed (host/${host})`, async () => {
		await installN8n(host, cleanup.shutdownSignal);
	}, INSTALL_LIMIT_MS);
}
