import { isSameToken, tokenOf } from './token';

/**
 * Whose registration the service holds:
 * - `none`: nobody's
 * - `ours`: this trigger's, in the same mode (test or production)
 * - `ours-in-other-mode`: this trigger's. In production it is a test URL that was left behind, in a
 *   test the production URL
 * - `foreign`: somebody else's
 */
export type Owner = 'none' | 'ours' | 'ours-in-other-mode' | 'foreign';

/** What a trigger recognises its registration by. */
export interface OwnRegistration {
	/** URL of the trigger's webhook in the present mode, without a token. */
	webhookUrl: string;
	/** The token derived now, and the one registered last, which an earlier API token may have made. */
	tokens: string[];
}

const segmentsOf = (url: string) => new URL(url).pathname.split('/').filter(Boolean);

/** Test and production paths of a webhook differ in one segment (n8n 2.0, 2.41: webhook-test). */
function countDifferences(a: string[], b: string[]): number {
	if (a.length !== b.length || a.at(-1) !== b.at(-1)) return Infinity;
	return a.filter((segment, index) => segment !== b[index]).length;
}

/**
 * Tells whose a registration is. Path and token must both match: copies of a workflow on another n8n
 * can have the same path. The host is not compared: a service may rewrite it.
 *
 * @param registeredUrl what the service holds, empty where it holds nothing
 */
export function ownerOf(registeredUrl: string, own: OwnRegistration): Owner {
	if (registeredUrl === '') return 'none';
	const token = tokenOf(registeredUrl);
	if (!own.tokens.some((known) => isSameToken(token, known))) return 'foreign';

	const differences = countDifferences(segmentsOf(registeredUrl), segmentsOf(own.webhookUrl));
	if (differences === 0) return 'ours';
	return differences === 1 ? 'ours-in-other-mode' : 'foreign';
}
