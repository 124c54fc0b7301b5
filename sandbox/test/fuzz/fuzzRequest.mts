import type { Operation } from '../support/contract.mts';
import { KnownRecords } from './recordId.mts';

/** How a request relates to the contract. */
export type RequestKind = 'valid' | 'almost valid' | 'hostile';

/** A request before it is sent: `recordIds` stand for ids. */
export interface FuzzRequest {
	readonly kind: RequestKind;
	readonly operation: Operation;
	readonly method: string;
	/** Of the contract, with `{id}`. */
	readonly path: string;
	/** What `{id}` becomes. */
	readonly id: string;
	/** As it is sent, without `?`. */
	readonly query: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent as JSON; undefined sends none. */
	readonly body: unknown;
	/** Sent instead of `body`. */
	readonly bytes?: Buffer | undefined;
	/** The names of the body's fields in the contract. */
	readonly fields: readonly string[];
}

/** The JSON of a request's body; undefined when it has none. A text `number:1e400` becomes a number. */
export function requestText(
	{ body }: FuzzRequest,
	known: KnownRecords = new KnownRecords(),
): string | undefined {
	if (body === undefined) return undefined;
	return known.fillIn(JSON.stringify(body)).replaceAll(/"number:([-+.\dEe]+)"/g, '$1');
}
