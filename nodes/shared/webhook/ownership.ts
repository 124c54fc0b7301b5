import { getToken, hasHash } from './token';

/**
 * Whose webhook is registered at the service:
 * - `none`: no webhook is registered
 * - `ours`: this trigger's, in the same mode (test or production)
 * - `ours-in-other-mode`: this trigger's, in the other mode. In production this is a test URL that was
 *   left behind, in a test it is the production URL
 * - `foreign`: somebody else's
 * - `unknown`: the service does not show it
 */
export type Owner = 'none' | 'ours' | 'ours-in-other-mode' | 'foreign' | 'unknown';

/** How a trigger recognises its own registration. */
interface OwnRegistration {
	/** URL of the trigger's webhook in the present mode, without a token. */
	webhookUrl: string;
	/** The hashes of the token of the present API token, and of the token that was registered last. */
	tokenHashes: string[];
	/** Whether the trigger has registered itself here, as far as n8n knows. */
	isRegistered: boolean;
}

/**
 * Tells whose webhook is registered. The URL is the trigger's own when its path names workflow and node, and
 * it has the token: a copy of a workflow on another n8n can have the same path. The host is not compared,
 * because the address of n8n can change (docs/decisions/0003).
 *
 * @param shown what the service shows; empty when it says that there is none, undefined when it does not say
 */
export function getOwner(shown: string | undefined, own: OwnRegistration): Owner {
	const { webhookUrl, tokenHashes, isRegistered } = own;
	if (shown === '') return 'none';
	if (shown === undefined) return isRegistered ? 'ours' : 'unknown';
	// A webhook URL is a valid URL (contract: webhook_url).
	if (!URL.canParse(shown)) return 'unknown';

	const [path, ownPath] = [new URL(shown).pathname, new URL(webhookUrl).pathname];
	// The path ends with the ids of workflow and node (docs/decisions/0005).
	const ownEnd = `/${ownPath.split('/').slice(-2).join('/')}`;
	const token = getToken(shown);
	const hasOwnToken = tokenHashes.some((hash) => hasHash(token, hash));
	if (!path.endsWith(ownEnd) || !hasOwnToken) return 'foreign';
	return path === ownPath ? 'ours' : 'ours-in-other-mode';
}
