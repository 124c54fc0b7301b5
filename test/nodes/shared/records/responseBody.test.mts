import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { toContractBody } from '../../../../nodes/shared/records/responseBody.ts';

const withMark = (record: IDataObject): IDataObject => ({ ...record, isSeen: true });
const read = (body: IDataObject) => toContractBody(body, withMark);

/** The fields of a page beside its records. */
const PAGE = {
	current_page: 2,
	from: 11,
	last_page: 3,
	path: 'https://example.com/api/user/calls',
	per_page: 10,
	to: 20,
	total: 25,
};

const FLAT = { ...PAGE, next_page_url: 'https://example.com/?page=3' };

describe('the body of a page', () => {
	it('keeps the envelope of the contract', () => {
		const body = { ...FLAT, links: [{ url: null, label: '1', active: true }], data: [{ id: 1 }] };
		expect(read(body)).toStrictEqual({ ...body, data: [{ id: 1, isSeen: true }] });
	});

	it('gets the envelope of the contract if its fields are in meta and links', () => {
		const links = { first: 'a', last: 'b', prev: null, next: FLAT.next_page_url };
		const body = { data: [{ id: 1 }, { id: 2 }], links, meta: PAGE };
		expect(read(body)).toMatchObject({
			...FLAT,
			data: [
				{ id: 1, isSeen: true },
				{ id: 2, isSeen: true },
			],
		});
	});

	it('gets the numbers of its envelope as numbers', () => {
		const meta = { ...PAGE, total: '25', per_page: '10', last_page: '3', current_page: '2' };
		expect(read({ data: [], meta })).toMatchObject(PAGE);
		expect(read({ data: [], ...meta })).toMatchObject(PAGE);
	});

	it('keeps rows that are no records', () => {
		expect(read({ data: [1, 'two', null] })).toStrictEqual({ data: [1, 'two', null] });
	});
});

describe('the body of another response', () => {
	it('has its record', () => {
		const body = { message: 'Done.', data: { id: 1 } };
		expect(read(body)).toStrictEqual({ ...body, data: { id: 1, isSeen: true } });
	});

	it('can be the record', () => {
		expect(read({ id: 1 })).toStrictEqual({ data: { id: 1, isSeen: true } });
	});

	it.each<IDataObject>([
		{ message: 'Done.' },
		{ message: 'Done.', data: {} },
		{ message: 'Done.', data: null },
		{ meta: { total: 1 }, links: { next: 'x' } },
	])('stays as it is without a record: %j', (body) => {
		expect(read(body)).toBe(body);
	});
});
