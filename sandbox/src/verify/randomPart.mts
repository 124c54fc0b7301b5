import { randomBytes } from 'node:crypto';

/** A part of a URL that nobody else has. */
const randomPart = (): string => randomBytes(8).toString('hex');

/** A part of the path of each URL that is set. */
export const testPath = (): string => `verify-${randomPart()}`;

/** A URL at which nobody listens: the top-level domain never exists. */
export const testUrl = (): string => `https://verify.invalid/${testPath()}`;

/** Whether a run of this program has set a URL. */
export const isTestUrl = (url: string): boolean =>
	/\/verify-[\da-f]{16}(\/|$)/.test(URL.canParse(url) ? new URL(url).pathname : '');

/** A name for a tool, which may have letters only. */
export const toolName = (): string =>
	`verify_${randomPart().replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
