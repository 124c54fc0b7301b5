import type { Checks } from '../support/checks.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { openExample, type Assume, type Change, type Example, type Preset } from './example.mts';
import { openTables, type Tables } from './tables.mts';

interface Options {
	/** Whether there are so many records that n8n is busy with them for minutes. */
	isLarge: boolean;
	/** Which service the providers have, where an example does not say it. */
	preset: Preset | undefined;
}

/** What the story of an example needs: an n8n with the package, which all examples share. */
export interface Gallery extends TestN8n, Checks, Options {
	tables: Tables;
	/**
	 * Imports an example, as a user does. The one that was opened before is unpublished, because both
	 * may have the same address.
	 *
	 * @param name of the workflow
	 * @param changes what a user changes after the import, such as the length of a wait
	 * @param calls that its account had before
	 * @param assume what differs at the provider of this example
	 * @param preset which service the provider has
	 */
	open: (
		name: string,
		changes?: Change[],
		calls?: object[],
		assume?: Assume,
		preset?: Preset,
	) => Promise<Example>;
}

/** Starts n8n. */
export async function startGallery(checks: Checks, options: Options): Promise<Gallery> {
	const n8n = await startTestN8n(checks);
	let last: Example | undefined;
	return {
		...checks,
		...options,
		...n8n,
		tables: openTables(n8n.editor.rest),
		async open(name, changes, calls, assume, preset = options.preset) {
			await last?.unpublish();
			last = await openExample(checks, n8n, name, changes, calls, assume, preset);
			return last;
		},
	};
}
