import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of its own, because the API token is also the key of the tokens in webhook URLs. */
const KEY_PURPOSE = 'n8n-nodes-voice-assistant-calling: replaced webhook URL';

const keyFrom = (apiToken: string): Uint8Array =>
	new Uint8Array(hkdfSync('sha256', apiToken, '', KEY_PURPOSE, 32));

/**
 * Encrypts a text, so that exports and people who may open the workflow do not show it.
 *
 * @param apiToken of the account at the service, which the key is derived from
 * @param boundTo names who may decrypt it: the same text is needed again
 */
export function seal(text: string, apiToken: string, boundTo: string): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(ALGORITHM, keyFrom(apiToken), nonce, { authTagLength: TAG_BYTES });
	cipher.setAAD(Buffer.from(boundTo));
	const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/**
 * Decrypts a text of {@link seal}.
 *
 * @returns undefined when it was encrypted with another API token or for somebody else, or was changed
 */
export function unseal(sealed: string, apiToken: string, boundTo: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	const nonce = bytes.subarray(0, NONCE_BYTES);
	try {
		const cipher = createDecipheriv(ALGORITHM, keyFrom(apiToken), nonce, {
			authTagLength: TAG_BYTES,
		});
		cipher.setAAD(Buffer.from(boundTo));
		cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
		const text = cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([text, cipher.final()]).toString('utf8');
	} catch {
		return undefined;
	}
}
