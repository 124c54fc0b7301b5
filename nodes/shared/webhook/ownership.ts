import { getToken, hasHash } from './token';

/**
 * Whose webhook is registered at the service:
 * - `none`: no webhook is registered
 * - `ours`: this trigger's, in the same mode (test or production)
 * - `ours-in-other-mode`: this trigger's, in the other mode. In production this is a test URL that was
 *   left behind, in a test it is the production URL
 * - `elsewhere`: it has this trigger's token, and leads to another address: n8n was moved, or one of two n8n
 *   is a copy of the other
 * - `foreign`: somebody else's
 * - `unknown`: the service does not show it
 */
export type Owner = 'none' | 'ours' | 'ours-in-other-mode' | 'elsewhere' | 'foreign' | 'unknown';

/** How a trigger recognises its own registration. */
interface OwnRegistration {
	/** URL of the trigger's webhook in the present mode, without a token. */
	webhookUrl: string;
	/**
	 * The hashes of the tokens that the trigger derives for its present address and for that of the shown URL, and
	 * of the token that was registered last.
	 */
	tokenHashes: string[];
	/** Where the trigger has registered itself, as far as n8n knows: the URL without its token. */
	registeredAt: string | undefined;
}

/** Whether a URL leads to the host of this n8n. */
export const isOnThisN8n = (url: string, webhookUrl: string): boolean =>
	URL.canParse(url) && new URL(url).host === new URL(webhookUrl).host;

/**
 * Tells whose webhook is registered. The URL is the trigger's own when it has the host of this n8n, and either
 * the whole path or the token (docs/decisions/0003).
 *
 * @param shown what the service shows; empty when it says that there is none, undefined when it does not say
 */
export function getOwner(shown: string | undefined, own: OwnRegistration): Owner {
	const { webhookUrl, tokenHashes, registeredAt } = own;
	if (shown === '') return 'none';
	if (shown === undefined) {
		if (registeredAt === undefined) return 'unknown';
		return isOnThisN8n(registeredAt, webhookUrl) ? 'ours' : 'elsewhere';
	}
	// A webhook URL is a valid URL (contract: webhook_url).
	if (!URL.canParse(shown)) return 'unknown';

	const isHere = isOnThisN8n(shown, webhookUrl);
	const [path, ownPath] = [new URL(shown).pathname, new URL(webhookUrl).pathname];
	// Nobody else can receive here: n8n 2.0 and 2.41 give each path to one trigger.
	if (isHere && path === ownPath) return 'ours';
	// The path ends with the ids of workflow and node (docs/decisions/0005).
	const ownEnd = `/${ownPath.split('/').slice(-2).join('/')}`;
	const hasOwnToken = tokenHashes.some((hash) => hasHash(getToken(shown), hash));
	if (!path.endsWith(ownEnd) || !hasOwnToken) return 'foreign';
	return isHere ? 'ours-in-other-mode' : 'elsewhere';
}
