import type { Checks } from '../support/checks.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { openExample, type Assume, type Change, type Example } from './example.mts';
import { openTables, type Tables } from './tables.mts';

/** What the story of an example needs: an n8n with the package, which all examples share. */
export interface Gallery extends TestN8n, Checks {
	tables: Tables;
	/** How the provider behaves whom all examples use; empty for the assumed one. */
	provider: Assume;
	/** The status with which it refuses wrong values. */
	validationStatus: number;
	/** How many calls end at the same moment; each starts an execution. */
	callsAtOnce: number;
	/** A check with many records. At a provider that differs it is left out, because it takes minutes. */
	largeCheck: Checks['check'];
	/**
	 * Imports an example, as a user does. The one that was opened before is unpublished, because both
	 * may have the same address.
	 *
	 * @param name of the workflow
	 * @param changes what a user changes after the import, such as the length of a wait
	 * @param calls that its account had before
	 * @param assume what else differs at the provider of this example
	 */
	open: (name: string, changes?: Change[], calls?: object[], assume?: Assume) => Promise<Example>;
}

interface Options {
	/** How the service of each example behaves. */
	provider: Assume;
	/** Whether so many calls end at once that n8n is busy with them for minutes. */
	isLarge: boolean;
}

/** Starts n8n. */
export async function startGallery(
	checks: Checks,
	{ provider, isLarge }: Options,
): Promise<Gallery> {
	const n8n = await startTestN8n(checks);
	let last: Example | undefined;
	return {
		...checks,
		...n8n,
		tables: openTables(n8n.editor.rest),
		provider,
		callsAtOnce: isLarge ? 1000 : 200,
		validationStatus: Number(provider['validation-status'] ?? 422),
		async largeCheck(name, ...work) {
			if (Object.keys(provider).length === 0) return await checks.check(name, ...work);
			checks.omit(name, 'many records are checked at the assumed provider');
			return undefined;
		},
		async open(name, changes, calls, assume) {
			await last?.unpublish();
			const behaviour = { ...provider, ...assume };
			last = await openExample(checks, n8n, name, changes, calls, behaviour);
			return last;
		},
	};
}
