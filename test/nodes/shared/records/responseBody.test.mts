import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { toContractBody } from '../../../../nodes/shared/records/responseBody.ts';

const toRecord = (record: IDataObject): IDataObject => ({ ...record, isSeen: true });
const page = (body: IDataObject) => toContractBody(body, { isList: true, toRecord });
const read = (body: IDataObject) => toContractBody(body, { isList: false, toRecord });

const SEEN = [{ id: 1, isSeen: true }];

describe('the body of a page', () => {
	it('keeps the envelope of the contract', () => {
		const links = [{ url: null, label: '1', active: true }];
		const body = { current_page: 2, last_page: 3, total: '25', links, data: [{ id: 1 }] };
		expect(page(body)).toStrictEqual({ ...body, data: SEEN });
	});

	it.each(['assistants', 'campaigns', 'leads'])('has a list under the name %s', (name) => {
		const body = { [name]: [{ id: 1 }] };
		expect(page(body)).toStrictEqual({ ...body, data: SEEN });
	});

	it('has a list whose keys are numbers', () => {
		expect(page({ data: { 5: { id: 1 } } })).toStrictEqual({ data: SEEN });
	});

	it.each<unknown>([1, 'two', null])('keeps the row %j', (row) => {
		expect(page({ data: [row] as IDataObject[] })).toStrictEqual({ data: [row] });
	});

	it.each<IDataObject>([
		{ lead: { id: 7 } },
		{ id: 7, attributes: { status: 'old' } },
		{ owner: { name: 'Ada' } },
	])('keeps the fields of a row where they are: %j', (row) => {
		expect(page({ data: [row] }).data).toStrictEqual([{ ...row, isSeen: true }]);
	});

	it.each<IDataObject>([
		{ data: null },
		{ data: { id: 1 } },
		{ data: { 0: { id: 1 }, total: 1 } },
		{ data: { data: [{ id: 1 }] } },
		{ calls: [{ id: 1 }] },
	])('stays as it is without a list: %j', (body) => {
		expect(page(body)).toBe(body);
	});
});

describe('the body of another response', () => {
	it.each<IDataObject>([
		{ id: 1 },
		{ lead: { id: 1 } },
		{ phone_number: '+49151', campaign: { id: 3, name: 'Sales' } },
	])('has its record in `data`: %j', (data) => {
		const body = { message: 'Done.', data };
		expect(read(body)).toStrictEqual({ ...body, data: { ...data, isSeen: true } });
	});

	it.each<IDataObject>([
		{ id: 1 },
		{ lead: { id: 1 } },
		{ message: 'Done.', data: null },
		{ message: 'Done.', data: [{ id: 1 }] },
		{ message: 'Done.', data: 'text' },
	])('stays as it is without a record in `data`: %j', (body) => {
		expect(read(body)).toBe(body);
	});
});
