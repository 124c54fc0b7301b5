import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../client/json';
import { toIsoTime } from '../records/timestamps';
import { callTypes } from './callTypes';
import { normaliseWord } from './normaliseWord';
import { isFinalStatus, isOpenStatus } from './outcome';

/** The days of the service may begin up to a day earlier or later than in UTC (assumed: time-zone). */
const DAY_MS = 86_400_000;

/** Fewer digits can be the same by chance. */
const LEAST_DIGITS = 7;

/** Whether a call fits a filter with a value, as far as it shows. */
type Fits = (call: IDataObject, wanted: string) => boolean;

const hasId = (id: unknown, wanted: string): boolean => asText(id) === '' || asText(id) === wanted;

/** A word of the provider's own cannot be compared. */
const hasWord = (word: unknown, isKnown: boolean, wanted: string): boolean =>
	!isKnown || normaliseWord(word) === normaliseWord(wanted);

const isCallType = (type: unknown): boolean =>
	callTypes.some(({ value }) => normaliseWord(value) === normaliseWord(type));

/** One of the numbers may have no country code. */
const hasNumber: Fits = ({ client_phone_number: number }, wanted) => {
	const [one, other] = [asText(number), wanted].map((text) =>
		text.replace(/\D/g, '').replace(/^0+/, ''),
	) as [string, string];
	if (Math.min(one.length, other.length) < LEAST_DIGITS) return true;
	return one.endsWith(other) || other.endsWith(one);
};

/** How long a call was created after a day began, in milliseconds; NaN when that is unknown. */
const sinceDay = ({ created_at: time }: IDataObject, day: string): number =>
	Date.parse(asText(toIsoTime(time))) - Date.parse(day);

/** The filters of the list, by their names (contract: List calls). */
const FILTERS: Record<string, Fits> = {
	assistant_id: ({ assistant_id: id }, wanted) => hasId(id, wanted),
	campaign_id: ({ campaign_id: id, campaign }, wanted) =>
		hasId(id ?? (isRecord(campaign) ? campaign.id : undefined), wanted),
	status: ({ status }, wanted) =>
		hasWord(status, isFinalStatus(status) || isOpenStatus(status), wanted),
	type: ({ type }, wanted) => hasWord(type, isCallType(type), wanted),
	phone_number: hasNumber,
	date_from: (call, day) => !(sinceDay(call, day) < -DAY_MS),
	date_to: (call, day) => !(sinceDay(call, day) >= 2 * DAY_MS),
};

/**
 * Whether a call is one that a list was asked for, as far as its record shows: a service may ignore a filter
 * (assumed: call-filters).
 *
 * @param call a record of the list (contract: Call record)
 * @param query of the request
 */
export const fitsQuery = (call: IDataObject, query: IDataObject = {}): boolean =>
	Object.entries(FILTERS).every(
		([name, fits]) => asText(query[name]) === '' || fits(call, asText(query[name])),
	);
