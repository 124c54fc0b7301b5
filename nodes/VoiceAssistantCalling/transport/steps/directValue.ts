import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/values/json';

/** A value of the item as it is: `{{ $json.phone }}`, `{{ $json["Phone number"] }}`, `{{ $json.contact.phone }}`. */
const PATH =
	/^=\{\{\s*\$json((?:\??\.[\p{L}_][\p{L}\p{N}_]*|\[\s*(?:'[^'\\]*'|"[^"\\]*")\s*\])+)\s*\}\}$/u;

const NAME = /\.([\p{L}_][\p{L}\p{N}_]*)|(['"])(.*?)\2/gu;

/**
 * Reads a parameter of many items fast: n8n needs 0.2 to 0.7 ms for each evaluation (n8n.md#cost-of-an-expression).
 *
 * @param entered what the user entered
 * @returns undefined when n8n has to evaluate it
 */
export function directValue(entered: unknown): ((item: IDataObject) => unknown) | undefined {
	if (typeof entered !== 'string' || !entered.startsWith('=')) return () => entered;
	const path = PATH.exec(entered)?.[1];
	if (path === undefined) return undefined;
	const names = [...path.matchAll(NAME)].map(([, name, , quoted]) => name ?? quoted ?? '');
	return (item) =>
		names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), item);
}
