import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CREDENTIAL, toEndpoint, type Endpoint } from '../../shared/client/credential';

/** What this file needs of n8n. n8n's types allow a number as the index only. */
interface Context {
	evaluateExpression(expression: string, item: number | WatchedIndex): unknown;
	getCredentials(
		type: string,
		item?: number | WatchedIndex,
	): Promise<ICredentialDataDecryptedObject>;
}

/** Where the requests of an item go, and with which token. */
export interface Account {
	credential: ICredentialDataDecryptedObject;
	endpoint: Endpoint;
	/** Differs for each Base URL and token. It contains the token, so it must stay in memory. */
	key: string;
}

/**
 * Gets the account of an item.
 *
 * @throws {InvalidInput} when the credential has a wrong value for this item, and what n8n throws when an
 * expression of the credential fails
 */
export type GetAccount = (item: number) => Promise<Account>;

/** Stands for the index of the first item, and notes when n8n looks that item up. */
class WatchedIndex {
	isUsed = false;

	toString(): string {
		this.isUsed = true;
		return '0';
	}
}

/**
 * Found out once, because it takes an isolate of n8n's expression engine. All runs have the same method of
 * n8n: that of `NodeExecutionContext` (n8n.md#items-of-expressions).
 */
let itemsAreLookedUp: boolean | undefined;

/**
 * Whether this n8n looks up the item of each expression that it evaluates, also of one that does not use
 * the item (n8n.md#items-of-expressions).
 */
function canWatch(context: Context): boolean {
	if (itemsAreLookedUp === undefined) {
		const index = new WatchedIndex();
		context.evaluateExpression('{{ 1 }}', index);
		itemsAreLookedUp = index.isUsed;
	}
	return itemsAreLookedUp;
}

/** The credential of all items; undefined when an expression may give each item another one. */
async function readCommonCredential(
	context: Context,
): Promise<ICredentialDataDecryptedObject | undefined> {
	const index = new WatchedIndex();
	const credential = await context.getCredentials(CREDENTIAL, index).catch((error: unknown) => {
		if (index.isUsed) return undefined;
		throw error;
	});
	return index.isUsed || !canWatch(context) ? undefined : credential;
}

function toAccount(credential: ICredentialDataDecryptedObject): Account {
	const endpoint = toEndpoint(credential);
	const key = JSON.stringify([endpoint.baseUrl, credential.apiToken]);
	return { credential, endpoint, key };
}

/**
 * Finds out which account each item of a run uses. A credential without expressions is read once, because
 * n8n 2.41 needs about a millisecond for it. A credential with an expression is read for each item: it may
 * name another account, and nothing shows that it does not.
 *
 * @throws {InvalidInput} when a credential without expressions has a wrong value, and what n8n throws when
 * the node has no credential
 */
export async function readAccounts(context: Context): Promise<GetAccount> {
	const common = await readCommonCredential(context);
	if (common) {
		const account = toAccount(common);
		return async () => await Promise.resolve(account);
	}
	return async (item) => toAccount(await context.getCredentials(CREDENTIAL, item));
}
