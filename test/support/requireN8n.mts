import { hostFolder, installN8n, type Host } from '../../host/n8n/installN8n.mts';
import type { Checks } from './checks.mts';

/** More than the limits of its steps, which can say more. */
const INSTALL_LIMIT_MS = 80 * 60_000;

/** Makes sure that the n8n of a host is installed; without it the story ends here. */
export async function requireN8n({ require, interrupt }: Checks, host: Host): Promise<void> {
	await require(`n8n is installed (host/${host})`, async () => {
		await installN8n(hostFolder(host), interrupt);
	}, INSTALL_LIMIT_MS);
}
