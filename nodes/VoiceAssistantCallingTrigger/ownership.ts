import type { Registration } from './events';
import { isSameToken } from './token';

/**
 * Whose registration an assistant carries:
 * - `none`: nobody's
 * - `ours`: this trigger's, in the same mode (test or production)
 * - `ours-in-other-mode`: this trigger's; in production a test URL that was left behind, in a test
 *   the production URL
 * - `foreign`: somebody else's
 */
export type Owner = 'none' | 'ours' | 'ours-in-other-mode' | 'foreign';

/** What this trigger knows of itself. */
export interface Self {
	/** Address of its webhook in the present mode, without the token. */
	url: string;
	/** The token derived now, and the one that was registered, which an old API token may have made. */
	tokens: string[];
}

const segments = ({ pathname }: URL) => pathname.split('/').filter(Boolean);

/** Test and production paths of a webhook differ in one segment (n8n 2.0, 2.41: webhook-test). */
function differenceOf(a: string[], b: string[]): number {
	if (a.length !== b.length || a.at(-1) !== b.at(-1)) return Infinity;
	return a.filter((segment, index) => segment !== b[index]).length;
}

/**
 * Tells whose the registration at an assistant is. Path and token must both be known: copies of a
 * workflow keep the path (n8n 2.0, 2.41). The host is not compared: a service may rewrite it.
 */
export function ownerOf({ url }: Registration, self: Self): Owner {
	if (url === '') return 'none';
	if (!URL.canParse(url)) return 'foreign';
	const registered = new URL(url);
	const token = registered.searchParams.get('token') ?? '';
	if (!self.tokens.some((known) => isSameToken(token, known))) return 'foreign';

	const difference = differenceOf(segments(registered), segments(new URL(self.url)));
	if (difference === 0) return 'ours';
	return difference === 1 ? 'ours-in-other-mode' : 'foreign';
}
