import * as z from 'zod';

import type { openRest } from '../../host/api/rest.mts';

const found = z.object({
	data: z.array(
		z.object({ id: z.string(), name: z.string(), project: z.object({ id: z.string() }) }),
	),
});
const rowList = z.object({ data: z.array(z.record(z.unknown())) });
/** The most rows that n8n gives at once. */
const PAGE_SIZE = 250;

/** A row of a Data Table: its columns, and `id`, `createdAt` and `updatedAt` of n8n. */
export type Row = Record<string, unknown>;

/** The Data Tables of n8n. */
export interface Tables {
	/** All rows of a table, the oldest first. @throws Error when there is no table of this name */
	rows: (table: string) => Promise<Row[]>;
	/** The row with this value in a column. @throws Error when there is no such table or row */
	row: (table: string, column: string, value: unknown) => Promise<Row>;
	/** Adds rows. @throws Error when there is no table of this name */
	insert: (table: string, rows: Row[]) => Promise<void>;
	/** Changes columns of a row. @throws Error when there is no table of this name, or n8n refuses */
	update: (table: string, row: Row, values: Row) => Promise<void>;
	/** Removes a table. @throws Error when there is none of this name */
	remove: (table: string) => Promise<void>;
}

/** Opens the Data Tables through the REST API of n8n's editor (measured on n8n 2.41.1). */
export function openTables({ call }: ReturnType<typeof openRest>): Tables {
	const pathOf = async (name: string): Promise<string> => {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const { data } = await call(found, 'GET', `/data-tables-global?filter=${filter}`);
		// n8n searches for a part of the name.
		const table = data.find((candidate) => candidate.name === name);
		if (table === undefined) throw new Error(`n8n has no Data Table named "${name}".`);
		return `/projects/${table.project.id}/data-tables/${table.id}`;
	};

	const rows = async (name: string): Promise<Row[]> => {
		const path = `${await pathOf(name)}/rows?sortBy=id:asc&take=${PAGE_SIZE}`;
		const all: Row[] = [];
		for (;;) {
			const { data } = await call(rowList, 'GET', `${path}&skip=${all.length}`);
			all.push(...data);
			if (data.length < PAGE_SIZE) return all;
		}
	};

	return {
		rows,
		row: async (name, column, value) => {
			const row = (await rows(name)).find((each) => each[column] === value);
			if (row === undefined) throw new Error(`"${name}" has no row with "${String(value)}".`);
			return row;
		},
		insert: async (name, rows) => {
			const body = { data: rows, returnType: 'count' };
			await call(z.unknown(), 'POST', `${await pathOf(name)}/insert`, body);
		},
		update: async (name, { id }, values) => {
			const filters = [{ columnName: 'id', condition: 'eq', value: id }];
			const body = { filter: { type: 'and', filters }, data: values };
			await call(z.unknown(), 'PATCH', `${await pathOf(name)}/rows`, body);
		},
		remove: async (name) => {
			await call(z.unknown(), 'DELETE', await pathOf(name));
		},
	};
}
