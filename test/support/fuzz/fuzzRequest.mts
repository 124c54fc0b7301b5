import type { Operation } from '../sandbox/contract.mts';
import { RecordId, type KnownRecords } from './recordId.mts';

/** How a request relates to the contract. */
export type RequestKind = 'valid' | 'almost valid' | 'hostile';

/** A request before it is sent: {@link RecordId}s stand for ids. */
export interface FuzzRequest {
	readonly kind: RequestKind;
	readonly operation: Operation;
	readonly method: string;
	/** Of the contract, with `{id}`. */
	readonly path: string;
	/** What `{id}` becomes. */
	readonly id: RecordId | string;
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

/** The path of a request with an id in it. */
export function requestPath(request: FuzzRequest, known: KnownRecords): string {
	const { id } = request;
	return request.path.replace('{id}', () => (typeof id === 'string' ? id : String(known.idOf(id))));
}

/** The JSON of a request's body; undefined when it has none. A text `number:1e400` becomes a number. */
export function requestText({ body }: FuzzRequest, known?: KnownRecords): string | undefined {
	if (body === undefined) return undefined;
	const text = JSON.stringify(body, (_name, value: unknown) =>
		value instanceof RecordId ? (known?.idOf(value) ?? 1) : value,
	);
	return text.replaceAll(/"number:([-+.\dEe]+)"/g, '$1');
}
