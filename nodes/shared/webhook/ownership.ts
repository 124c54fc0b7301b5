import { hasHash, getToken } from './token';

/**
 * Whose webhook is registered at the service:
 * - `none`: no webhook is registered
 * - `ours`: this trigger's, in the same mode (test or production)
 * - `ours-in-other-mode`: this trigger's, in the other mode. In production this is a test URL that was
 *   left behind, in a test it is the production URL
 * - `foreign`: somebody else's
 */
export type Owner = 'none' | 'ours' | 'ours-in-other-mode' | 'foreign';

/** How a trigger recognises its own registration. */
interface OwnRegistration {
	/** URL of the trigger's webhook in the present mode, without a token. */
	webhookUrl: string;
	/** The hashes of the token of the present API token, and of the token that was registered last. */
	tokenHashes: string[];
}

const getSegments = (url: string) => new URL(url).pathname.split('/').filter(Boolean);

/** Test and production paths of a webhook differ in one segment (n8n 2.0, 2.41: webhook-test). */
function countDifferences(a: string[], b: string[]): number {
	if (a.length !== b.length || a.at(-1) !== b.at(-1)) return Infinity;
	return a.filter((segment, index) => segment !== b[index]).length;
}

/**
 * Tells whose webhook is registered. Path and token must both match, because a copy of a workflow on
 * another n8n can have the same path. The host is not compared, because a service may rewrite it.
 *
 * @param registeredUrl empty when the service has none
 */
export function getOwner(registeredUrl: string, own: OwnRegistration): Owner {
	if (registeredUrl === '') return 'none';
	const token = getToken(registeredUrl);
	if (!own.tokenHashes.some((hash) => hasHash(token, hash))) return 'foreign';

	const differences = countDifferences(getSegments(registeredUrl), getSegments(own.webhookUrl));
	if (differences === 0) return 'ours';
	return differences === 1 ? 'ours-in-other-mode' : 'foreign';
}
