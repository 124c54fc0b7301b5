import { randomBytes } from 'node:crypto';

/** A part of a URL that nobody else has. */
export const randomPart = (): string => randomBytes(8).toString('hex');

/** A URL at which nobody listens: the top-level domain never exists. */
export const testUrl = (): string => `https://verify.invalid/${randomPart()}`;

/** A name for a tool, which may have letters only. */
export const toolName = (): string =>
	`verify_${randomPart().replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
