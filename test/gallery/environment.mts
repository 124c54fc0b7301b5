import type { Checks } from '../support/checks.mts';
import { startTestN8n, type TestN8n } from '../support/startTestN8n.mts';
import { openTables, type Tables } from './tables.mts';

/** An n8n with the package, which all examples share. */
export interface GalleryEnvironment extends TestN8n {
	tables: Tables;
}

/** Starts it. */
export async function startGalleryEnvironment(checks: Checks): Promise<GalleryEnvironment> {
	const n8n = await startTestN8n(checks);
	return { ...n8n, tables: openTables(n8n.editor.rest) };
}
