import type { Checks } from '../support/checks.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { openExample, type Change, type Example } from './example.mts';
import { openTables, type Tables } from './tables.mts';

/** What the story of an example needs: an n8n with the package, which all examples share. */
export interface Gallery extends TestN8n, Checks {
	tables: Tables;
	/**
	 * Imports an example, as a user does. The one that was opened before is unpublished, because both
	 * may have the same address.
	 *
	 * @param name of the workflow
	 * @param changes what a user changes after the import, such as the length of a wait
	 * @param calls that its account had before
	 */
	open: (name: string, changes?: Change[], calls?: object[]) => Promise<Example>;
}

/** Starts n8n. */
export async function startGallery(checks: Checks): Promise<Gallery> {
	const n8n = await startTestN8n(checks);
	let last: Example | undefined;
	return {
		...checks,
		...n8n,
		tables: openTables(n8n.editor.rest),
		async open(...example) {
			await last?.unpublish();
			last = await openExample(checks, n8n, ...example);
			return last;
		},
	};
}
