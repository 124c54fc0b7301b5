import { openEditor } from '../api/editor.mts';
import { setupStep } from '../process/setupStep.mts';
import { installPackage } from './installPackage.mts';
import { OWNER } from './provision.mts';
import { startN8n, type N8nOptions } from './startN8n.mts';

/**
 * Installs packages into a user folder, starts n8n with it, and signs in; a new n8n gets the owner.
 *
 * @param install copies the packages; only this package unless given
 * @throws Error that names the step that failed
 */
export async function startN8nWithPackage(options: N8nOptions, install = installPackage) {
	await setupStep('install the package into n8n', () => install(options.userFolder));
	const n8n = await startN8n(options);
	const editor = openEditor(n8n.url);
	// False when the user has changed the owner: then there is no session.
	const isSignedIn = await setupStep('sign in to n8n', () => editor.signIn(OWNER));
	return { n8n, editor, isSignedIn };
}
