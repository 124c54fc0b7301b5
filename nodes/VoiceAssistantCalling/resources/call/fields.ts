import type { Field } from '../../fields/routing';

export const fromDate: Field = {
	displayName: 'From Date',
	name: 'dateFrom',
	type: 'dateTime',
	default: '',
	description: 'Only calls from this day on. The time of day is ignored.',
	routing: { send: { type: 'query', property: 'date_from' } },
};

export const toDate: Field = {
	displayName: 'To Date',
	name: 'dateTo',
	type: 'dateTime',
	default: '',
	description: 'Only calls until this day. The time of day is ignored.',
	routing: { send: { type: 'query', property: 'date_to' } },
};
