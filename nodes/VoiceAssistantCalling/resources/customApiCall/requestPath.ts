import { InvalidInput } from '../../../shared/client/errors';
import { shortText } from '../../../shared/fields/values';

const EXAMPLE = 'Enter what comes after the Base URL of the credential, such as /user/calls';

/** The path that the user entered cannot be used. */
const wrongPath = (problem: string, nextStep: string) =>
	new InvalidInput({
		message: `'Path' ${problem}`,
		nextStep: `${nextStep}. Nothing was sent for this item.`,
		errors: { Path: [problem] },
	});

/** `https://host`, `//host`, `\\host` and `user@host`. URLs take a backslash for a slash. */
const HOST = /^[a-z][a-z\d+.-]*:|^\/\/|\\|^\/?[^/]*@/i;

/** Browsers and HTTP clients remove some of these, so that the rest can mean something else. */
const UNUSABLE = /\p{Cc}|\p{Cs}/u;

/** A segment that leads up. Some servers ignore what follows a semicolon, and spaces. */
const DOTS = /^\s*\.{1,2}\s*(;|$)/;

/** The text between two slashes, as it is meant. */
function decodeSegment(segment: string): string {
	let decoded: string;
	try {
		decoded = decodeURIComponent(segment);
	} catch {
		throw wrongPath('has a percent sign that encodes nothing', 'Write %25 for a percent sign');
	}
	// A server that decodes twice would find another path.
	if (/[/\\]|%[\da-f]{2}/i.test(decoded) || UNUSABLE.test(decoded)) {
		throw wrongPath(
			`has an encoded character that can change its meaning: ${shortText(segment)}`,
			'Enter the path without an encoded slash, and encode each character once',
		);
	}
	if (DOTS.test(decoded)) throw wrongPath('must not have . or .. between slashes', EXAMPLE);
	return decoded;
}

/**
 * Checks a path below the Base URL, and writes it so that no server or client reads another one: each
 * segment is encoded once.
 *
 * @param entered with or without a slash in front
 * @param baseUrl ends in `/api`
 * @returns the path with a slash in front
 * @throws {InvalidInput} when it is empty, could leave the Base URL, repeats its end, or has a query
 */
export function toRequestPath(entered: string, baseUrl: string): string {
	const text = entered.trim();
	if (text === '' || text === '/') throw wrongPath('is empty', EXAMPLE);
	if (UNUSABLE.test(text)) throw wrongPath('has a character that no address can have', EXAMPLE);
	if (HOST.test(text)) throw wrongPath('must not name a host, or have a backslash', EXAMPLE);
	if (/[?#]/.test(text)) {
		throw wrongPath(
			'must not have a question mark or a number sign',
			"Enter what follows under 'Query Parameters', or write %3F or %23 for the character",
		);
	}
	const segments = text.replace(/^\//, '').split('/').map(decodeSegment);
	if (segments.slice(0, -1).includes('')) {
		throw wrongPath('has two slashes in a row', 'Remove one of them');
	}
	const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
	const basePath = new URL(baseUrl).pathname;
	if (`${path}/`.startsWith('/api/') || `${path}/`.startsWith(`${basePath}/`)) {
		throw wrongPath('begins with /api, which the Base URL of the credential ends in', EXAMPLE);
	}
	return path;
}
