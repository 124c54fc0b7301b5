import type { Field } from '../../fields/routing';

const day = (displayName: string, name: string, property: string, description: string): Field => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
	description: `${description}. The time of day is ignored.`,
	routing: { send: { type: 'query', property } },
});

/** The filters for the days of records. @param records as words, such as *calls* */
export const dateRange = (records: string): Record<'fromDate' | 'toDate', Field> => ({
	fromDate: day('From Date', 'dateFrom', 'date_from', `Only ${records} from this day on`),
	toDate: day('To Date', 'dateTo', 'date_to', `Only ${records} until this day`),
});
