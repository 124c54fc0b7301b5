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
