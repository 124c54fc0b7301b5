import type { Owned, User } from '../store/records.mts';
import type { Table } from '../store/table.mts';

/** The record with this id if it belongs to the user; others are as good as absent. */
export function owned<Record extends Owned>(
	table: Table<Record>,
	id: number,
	user: User,
): Record | undefined {
	const record = table.get(id);
	return record?.user_id === user.id ? record : undefined;
}
