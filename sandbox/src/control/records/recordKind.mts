import * as z from 'zod';

import type { SandboxEngine } from '../../runtime/engine.mts';
import type { State } from '../../store/store.mts';
import type { Row, ScalarKey, Table } from '../../store/table.mts';

/** How the records of one kind are listed and shown. */
export interface RecordKind<Item extends Row> {
	/** What one record is called in messages. */
	name: string;
	table: (state: State) => Table<Item>;
	/** What a list can be filtered by: fields of the record, as they come in the query. */
	filters: { [Field in ScalarKey<Item>]?: z.ZodTypeAny };
	/** Which fields `search` looks into; dots lead into a field. */
	searched: string[];
	/** A record as a row of a table shows it. */
	brief: (item: Item, engine: SandboxEngine) => object;
	/**
	 * The whole record.
	 *
	 * @param withSecrets whether it shows tokens and the like
	 */
	whole: (item: Item, engine: SandboxEngine, withSecrets: boolean) => object;
}

/** An id in a query. */
export const id = z.coerce.number().int().min(1);

/** A text in a query. */
export const text = z.string().min(1);

/** A truth value in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** How many records a whole record shows of each list beside it. */
export const RELATED = 50;

/** A time of the store as ISO 8601, null where there is none. */
export const iso = (time: number | null): string | null =>
	time === null ? null : new Date(time).toISOString();

/** The names that rows show beside ids; null where there is no such record. */
export const names = ({ assistants, campaigns }: State) => ({
	assistant: (id: number | null): string | null =>
		(id === null ? undefined : assistants.get(id))?.settings.assistant_name ?? null,
	campaign: (id: number | null): string | null =>
		(id === null ? undefined : campaigns.get(id))?.name ?? null,
});
