import assert from 'node:assert/strict';

import * as z from 'zod';

import type { openRest } from '../../host/api/rest.mts';

const found = z.object({
	data: z.array(
		z.object({ id: z.string(), name: z.string(), project: z.object({ id: z.string() }) }),
	),
});
const project = z.object({ id: z.string() });
const rowList = z.object({ data: z.array(z.record(z.unknown())) });
/** The most rows that n8n gives at once. */
const PAGE_SIZE = 250;

/** A row of a Data Table: its columns, and `id`, `createdAt` and `updatedAt` of n8n. */
export type Row = Record<string, unknown>;

/** The Data Tables of n8n. */
export type Tables = ReturnType<typeof openTables>;

/**
 * Opens the Data Tables through the REST API of n8n's editor (measured on n8n 2.41.1). All methods throw
 * an Error when there is no table of this name.
 */
export function openTables({ call }: ReturnType<typeof openRest>) {
	const getPath = async (name: string): Promise<string> => {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const { data } = await call(found, 'GET', `/data-tables-global?filter=${filter}`);
		// n8n searches for a part of the name.
		const table = data.find((candidate) => candidate.name === name);
		if (table === undefined) throw new Error(`n8n has no Data Table named "${name}".`);
		return `/projects/${table.project.id}/data-tables/${table.id}`;
	};

	const rows = async (name: string, values: Row = {}): Promise<Row[]> => {
		const path = `${await getPath(name)}/rows?sortBy=id:asc&take=${PAGE_SIZE}`;
		const wanted = Object.entries(values);
		const all: Row[] = [];
		for (;;) {
			const { data } = await call(rowList, 'GET', `${path}&skip=${all.length}`);
			all.push(...data);
			if (data.length < PAGE_SIZE) break;
		}
		return all.filter((row) => wanted.every(([column, value]) => row[column] === value));
	};

	return {
		/** All rows that have these values, the oldest first. */
		rows,

		/** The only row that has these values. @throws AssertionError when there is none, or another one */
		async row(name: string, values: Row): Promise<Row> {
			const [row, ...others] = await rows(name, values);
			assert.ok(row, `"${name}" has no row with ${JSON.stringify(values)}.`);
			assert.deepEqual(others, []);
			return row;
		},

		/** Makes a table. @param columns the type of each one */
		async create(name: string, columns: Record<string, string>): Promise<void> {
			const { id } = await call(project, 'GET', '/projects/personal');
			const list = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
			const path = `/projects/${id}/data-tables`;
			await call(z.unknown(), 'POST', path, { name, columns: list });
		},

		/** Adds rows. */
		async insert(name: string, data: Row[]): Promise<void> {
			const body = { data, returnType: 'count' };
			await call(z.unknown(), 'POST', `${await getPath(name)}/insert`, body);
		},

		/** Changes columns of a row. */
		async update(name: string, { id }: Row, data: Row): Promise<void> {
			const filters = [{ columnName: 'id', condition: 'eq', value: id }];
			const body = { filter: { type: 'and', filters }, data };
			await call(z.unknown(), 'PATCH', `${await getPath(name)}/rows`, body);
		},

		/** Removes a table. */
		async remove(name: string): Promise<void> {
			await call(z.unknown(), 'DELETE', await getPath(name));
		},
	};
}
