import { hasHash } from './token';

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

/** What a service shows in place of a part that it hides. */
const MASK =
	/\*{2,}|•{2,}|#{2,}|…|\.{3}|x{4,}|[[(<](?:hidden|masked|redacted|filtered|secret)[\])>]/i;

const TOKEN = /[0-9a-f]{64}/g;

/** Encoded characters, one or more. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi;

/** Decodes encoded characters. A text that is cut off stays as it is. */
export function decode(encoded: string): string {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

/** A URL in lower case, without encoded characters, also where a service has encoded them again. */
const toPlainUrl = (url: string): string =>
	url.replace(ENCODED, decode).replace(ENCODED, decode).toLowerCase();

/** Whether a service shows a URL that can be registered again: no other text, and no part of it hidden. */
export function isWholeUrl(shown: string): boolean {
	const url = toPlainUrl(shown);
	return /^https?:/.test(url) && URL.canParse(url) && !MASK.test(url);
}

/** The host and the path of a plain URL; empty where it has none. */
function getPlace(url: string): { host: string; path: string } {
	const [, host = '', path = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^?#]*)/.exec(url) ?? [];
	return { host, path: path.replace(/\/$/, '') };
}

/** The host with which a text without `https://` begins. */
const BARE_HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?(?=\/|$)/;

/** Whether a service shows a host that is not the own one, as far as it shows it. */
function namesOtherHost(url: string, ownHost: string): boolean {
	const host = getPlace(url).host || (BARE_HOST.exec(url)?.[0] ?? '');
	const [visible = ''] = host.split(MASK);
	return visible === host ? host !== '' && host !== ownHost : !ownHost.startsWith(visible);
}

/**
 * Tells whose webhook is registered. The URL is the trigger's own when its path names workflow and node, and
 * it has the token: a copy of a workflow on another n8n can have the same path. The host is not compared
 * then, because a service may rewrite it. Where the service shows the path without the token, the host
 * or what n8n knows decides (docs/decisions/0003). What is no whole URL can be any webhook of its host.
 *
 * @param shown what the service shows; empty when it says that there is none, undefined when it does not say
 */
export function getOwner(shown: string | undefined, own: OwnRegistration): Owner {
	const { webhookUrl, tokenHashes, isRegistered } = own;
	if (shown === '') return 'none';
	if (shown === undefined) return isRegistered ? 'ours' : 'unknown';

	const url = toPlainUrl(shown);
	const [place, ownPlace] = [getPlace(url), getPlace(toPlainUrl(webhookUrl))];
	const isHere = place.host === ownPlace.host;
	const tokens = url.match(TOKEN) ?? [];
	const hasOwnToken = tokens.some((token) => tokenHashes.some((hash) => hasHash(token, hash)));
	const hidesToken = tokens.length === 0 && (isHere || isRegistered);
	// The path ends with the ids of workflow and node (docs/decisions/0005).
	const ownEnd = `/${ownPlace.path.split('/').slice(-2).join('/')}`;
	if (place.path.endsWith(ownEnd) && (hasOwnToken || hidesToken)) {
		return place.path === ownPlace.path ? 'ours' : 'ours-in-other-mode';
	}
	const isCut = isHere && tokens.length === 0 && ownPlace.path.startsWith(place.path);
	if (namesOtherHost(url, ownPlace.host) || (isWholeUrl(url) && !isCut)) return 'foreign';
	return isRegistered ? 'ours' : 'unknown';
}
