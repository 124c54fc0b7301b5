import type * as z from 'zod';

import type { SandboxEngine } from '../../runtime/engine.mts';
import type { AssistantSettings, Owned, Variables } from '../../store/records.mts';
import type { State } from '../../store/store.mts';
import type { Condition, Row, ScalarKey, Table } from '../../store/table.mts';

/** How the records of one kind are listed and shown. */
export interface RecordKind<Item extends Row> {
	name: string;
	/** What a list can be filtered by: fields of the record, as they come in the query. */
	filters?: { [Field in ScalarKey<Item>]?: z.ZodTypeAny };
	/** Which fields `search` looks into; dots lead into a field. */
	searched?: string[];
	/** A record as a row of a table shows it. */
	brief: (item: Item, engine: SandboxEngine) => object;
	/**
	 * The whole record.
	 *
	 * @param withSecrets whether it shows tokens and the like
	 */
	whole: (item: Item, engine: SandboxEngine, withSecrets: boolean) => object;
}

/** How many records a whole record shows of each list beside it. */
const RELATED = 50;

/** The newest records of a list beside a record. */
export const related = <Item extends Row>(
	table: Table<Item>,
	...conditions: Array<Condition<Item>>
): Item[] => table.list({ conditions, limit: RELATED }).records;

/** A time of the store as ISO 8601, null where there is none. */
export const iso = (time: number | null): string | null =>
	time === null ? null : new Date(time).toISOString();

/** The fields of every record that belongs to a user. */
export const ownedFields = ({ id, user_id, created_at, updated_at }: Owned) => ({
	id,
	user_id,
	created_at: iso(created_at),
	updated_at: iso(updated_at),
});

/** The name that rows show beside the id of an assistant; null where there is none. */
export const assistantName = ({ assistants }: State, id: number | null): string | null =>
	assistants.get(id)?.settings.assistant_name ?? null;

/** Which variables of a call or a lead are the assistant's own, which it has for whoever has none. */
export const defaultVariables = (
	settings: AssistantSettings | undefined,
	variables: Variables,
	ofLead: Variables = {},
): string[] =>
	Object.entries(settings?.variables ?? {})
		.filter(([name, value]) => variables[name] === value && !Object.hasOwn(ofLead, name))
		.map(([name]) => name);
