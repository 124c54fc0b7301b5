import { checkedBaseUrl } from '../client/baseUrl';

/**
 * The key under which all triggers change an assistant one after the other, see {@link inTurn}.
 *
 * @param baseUrl of the credential
 * @throws {InvalidInput} when the base URL is wrong
 */
export const assistantKey = (baseUrl: unknown, assistantId: number): string =>
	`${checkedBaseUrl(baseUrl)} ${assistantId}`;
