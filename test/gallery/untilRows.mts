import { waitFor } from '../../host/process/wait.mts';
import type { Row, Tables } from './tables.mts';

const LIMIT_MS = 240_000;

/** Waits until a table has so many rows. @returns them, the oldest first */
export async function untilRows(tables: Tables, table: string, count: number): Promise<Row[]> {
	return await waitFor(`${count} rows in "${table}"`, LIMIT_MS, async () => {
		const rows = await tables.rows(table);
		return rows.length >= count ? rows : undefined;
	});
}
