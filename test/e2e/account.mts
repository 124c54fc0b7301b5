import type { Editor } from '../../host/api/editor.mts';
import type { CredentialRef } from '../../host/api/workflow.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import type { Checks } from '../support/checks.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { startService, type Service } from '../support/sandbox/service.mts';
import { seed } from './seed.mts';

/** A service of one subject, so that other checks do not change it, and Alice's credential for it. */
export interface Account {
	service: Service;
	alice: CredentialRef;
}

/**
 * Starts a service, which stops at the end of the suite, and stores Alice's credential.
 *
 * @param name of the credential
 */
export async function startAccount(
	{ cleanup }: Pick<Checks, 'cleanup'>,
	{ editor }: { editor: Editor },
	name: string,
): Promise<Account> {
	const service = await cleanup.use(startService({ seed: seed() }));
	const alice = await saveCredential(editor, name, { url: service.url, token: ALICE });
	return { service, alice };
}
