import { RecordNotFound } from '../base/apiError.mts';
import type { Owned, User } from '../store/records.mts';
import type { Table } from '../store/table.mts';

/** The record with this id; undefined when there is none or it belongs to another user. */
export function findOwned<Record extends Owned>(
	table: Table<Record>,
	id: number,
	user: User,
): Record | undefined {
	const record = table.get(id);
	return record?.user_id === user.id ? record : undefined;
}

/**
 * The record with this id.
 *
 * @throws {RecordNotFound} when there is none or it belongs to another user
 */
export function requireOwned<Record extends Owned>(
	kind: 'Assistant' | 'Tool' | 'Lead' | 'Campaign' | 'Call',
	table: Table<Record>,
	id: number,
	user: User,
): Record {
	const record = table.get(id);
	if (record?.user_id !== user.id) throw new RecordNotFound(kind, record !== undefined);
	return record;
}

/** The id in a path. Text that is no id becomes 0, which no record has. */
export const recordId = (text: string | undefined): number =>
	/^[1-9]\d*$/.test(text ?? '') ? Number(text) : 0;
