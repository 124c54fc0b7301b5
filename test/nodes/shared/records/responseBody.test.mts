import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { recordShapes } from '../../../../nodes/shared/records/recordShapes.ts';
import { toContractBody } from '../../../../nodes/shared/records/responseBody.ts';

const withMark = (record: IDataObject): IDataObject => ({ ...record, isSeen: true });
const page = (body: IDataObject) => toContractBody(body, { isList: true, toRecord: withMark });
const shape = recordShapes.lead;
const read = (body: IDataObject) =>
	toContractBody(body, { isList: false, shape, toRecord: withMark });

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
		expect(page(body)).toStrictEqual({ ...body, data: [{ id: 1, isSeen: true }] });
	});

	it('gets the numbers of its envelope as numbers', () => {
		const meta = { ...PAGE, total: '25', per_page: '10', last_page: '3', current_page: '2' };
		expect(page({ data: [], meta })).toMatchObject(PAGE);
		expect(page({ data: [], ...meta })).toMatchObject(PAGE);
	});

	it.each<IDataObject>([
		{ lead: { id: 7, status: 'new' } },
		{ id: 7, type: 'leads', attributes: { status: 'new' } },
		{ lead: { id: 7, status: 'new' }, took_ms: 5 },
	])('has the record of a row in another form: %j', (row) => {
		const { data } = toContractBody(
			{ data: [row] },
			{ isList: true, shape: recordShapes.lead, toRecord: withMark },
		);
		expect(data).toStrictEqual([{ id: 7, status: 'new', isSeen: true }]);
	});

	it.each<IDataObject>([
		{ id: 7, status: 'new', attributes: { status: 'old' } },
		{ owner: { name: 'Ada' } },
		{ id: 7, campaign: { id: 3 } },
	])('keeps a row that is a record: %j', (row) => {
		const { data } = toContractBody(
			{ data: [row] },
			{ isList: true, shape: recordShapes.lead, toRecord: withMark },
		);
		expect(data).toStrictEqual([{ ...row, isSeen: true }]);
	});

	it('keeps the objects beside the record of a row', () => {
		const row = { lead: { id: 7, status: 'new' }, owner: { id: 3 } };
		expect(
			toContractBody({ data: [row] }, { isList: true, shape, toRecord: withMark }).data,
		).toStrictEqual([{ id: 7, status: 'new', owner: { id: 3 }, isSeen: true }]);
	});

	it('keeps rows that are no records', () => {
		expect(page({ data: [1, 'two', null] })).toStrictEqual({ data: [1, 'two', null] });
	});

	it.each<IDataObject>([
		{ data: null },
		{ data: null, total: 3 },
		{ data: { id: 1 } },
		{ data: { 0: { id: 1 }, total: 1 } },
		{ calls: [{ id: 1 }] },
	])('stays as it is without a list: %j', (body) => {
		expect(page(body)).toBe(body);
	});
});

describe('the body of another response', () => {
	it('has its record', () => {
		const body = { message: 'Done.', data: { id: 1 } };
		expect(read(body)).toStrictEqual({ ...body, data: { id: 1, isSeen: true } });
	});

	it.each<unknown>([
		[{ id: 1 }],
		{ 0: { id: 1 } },
		{ lead: { id: 1 } },
		{ lead: [{ id: 1 }], message: 'Done.' },
		{ data: { id: 1 } },
		{ data: [{ id: 1 }] },
		{ type: 'leads', attributes: { id: 1 } },
	])('has its record in another form: %j', (data) => {
		const body = { message: 'Done.', data } as IDataObject;
		expect(read(body)).toStrictEqual({ ...body, data: { id: 1, isSeen: true } });
	});

	it('has its record without `data`', () => {
		const body = { message: 'Done.', lead: { id: 1 } };
		expect(read(body)).toStrictEqual({ ...body, data: { id: 1, isSeen: true } });
	});

	it.each<IDataObject>([
		{ data: { lead: { id: 1, variables: {} }, quota: { used: 3 } } },
		{ status: 'success', lead: { id: 1, variables: {} }, user: { id: 4 } },
		{ status: true, lead: { id: 1, variables: {} } },
	])('has its record beside other objects: %j', (body) => {
		expect(read(body).data).toStrictEqual({ id: 1, variables: {}, isSeen: true });
	});

	it.each<IDataObject>([
		{ phone_number: '+49151', campaign: { id: 3, name: 'Sales' } },
		{ secondary_contacts: [{ id: 3 }], status: 'created' },
		{ owner: { id: 4 }, creator: { id: 5 } },
	])('keeps a record without an ID: %j', (data) => {
		expect(read({ data })).toStrictEqual({ data: { ...data, isSeen: true } });
	});

	it('can be the record', () => {
		expect(read({ id: 1 })).toStrictEqual({ data: { id: 1, isSeen: true } });
	});

	it.each<IDataObject>([
		{ campaign_id: 3, status: 'new' },
		{ success: true, message: 'Done.', campaign_id: '3' },
	])('can be a record that has no ID of its own: %j', (body) => {
		expect(read(body)).toStrictEqual({ data: { ...body, isSeen: true } });
	});

	it.each<IDataObject>([
		{ campaign_id: 3, took: { ms: 5 } },
		{ status: 'ok', message: 'Done.' },
		{ message: 'Done.' },
		{ message: 'Done.', data: {} },
		{ message: 'Done.', data: null },
		{ message: 'Done.', data: [] },
		{ message: 'Done.', data: [{ id: 1 }, { id: 2 }] },
		{ message: 'Done.', data: 'text' },
		{ meta: { total: 1 }, links: { next: 'x' } },
		{ message: 'Done.', meta: { took_ms: 5 } },
	])('stays as it is without a record: %j', (body) => {
		expect(read(body)).toBe(body);
	});
});
