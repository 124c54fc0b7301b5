import { openEditor, type Editor } from '../api/editor.mts';
import { setupStep } from '../process/setupStep.mts';
import { installPackage } from './installPackage.mts';
import { OWNER } from './provision.mts';
import { startN8n, type N8n, type N8nOptions } from './startN8n.mts';

/** A running n8n and its REST API. */
interface N8nWithPackage {
	n8n: N8n;
	editor: Editor;
	/** false when the user has changed the owner: then there is no session */
	isSignedIn: boolean;
}

/**
 * Installs packages into a user folder, starts n8n with it, and signs in; a new n8n gets the owner.
 *
 * @param install copies the packages; only this package unless given
 * @throws Error that names the step that failed
 */
export async function startN8nWithPackage(
	options: N8nOptions,
	install = installPackage,
): Promise<N8nWithPackage> {
	await setupStep('install the package into n8n', async () => await install(options.userFolder));
	const n8n = await startN8n(options);
	const editor = openEditor(n8n.url);
	const isSignedIn = await setupStep('sign in to n8n', async () => await editor.signIn(OWNER));
	return { n8n, editor, isSignedIn };
}
