import type { IDataObject } from 'n8n-workflow';

import { LAST_DIGITS } from '../fields/phoneNumbers';
import { toIsoTime } from '../records/timestamps';
import { isId } from '../values/ids';
import { asText } from '../values/json';
import { callParents } from './callParents';
import { callTypes } from './callTypes';
import { normaliseWord } from './normaliseWord';
import { getOutcome, isFinalStatus, isOpenStatus } from './outcome';

/** The days of the service may begin up to a day earlier or later than in UTC (assumed: time-zone). */
const DAY_MS = 86_400_000;

/** A number without an extension, an address or hidden digits. */
const PLAIN_NUMBER = /^\+?[\d\s()./-]+$/;

/** Whether a call fits a filter with a value, as far as it shows. */
type Fits = (call: IDataObject, wanted: string) => boolean;

/** IDs of another kind cannot be compared. */
const hasId = (id: unknown, wanted: string): boolean => !isId(id) || asText(id) === wanted;

/** A service may have several words for how a call ended, and words of its own. */
const hasStatus: Fits = ({ status }, wanted) =>
	!(isFinalStatus(status) || isOpenStatus(status)) ||
	getOutcome({ status }) === getOutcome({ status: wanted });

const hasType: Fits = ({ type }, wanted) =>
	!callTypes.some(({ value }) => normaliseWord(value) === normaliseWord(type)) ||
	normaliseWord(type) === normaliseWord(wanted);

const hasNumber: Fits = ({ client_phone_number: number }, wanted) => {
	if (![asText(number), wanted].every((text) => PLAIN_NUMBER.test(text))) return true;
	const [one, other] = [asText(number), wanted].map((text) =>
		text.replace(/\D/g, '').slice(-LAST_DIGITS),
	);
	return one?.length !== LAST_DIGITS || one === other;
};

/** How long a call was created after a day began, in milliseconds; NaN when that is unknown. */
function sinceDay({ created_at: time }: IDataObject, day: string): number {
	const isoTime = asText(toIsoTime(time));
	return /^\d{4}-/.test(isoTime) ? Date.parse(isoTime) - Date.parse(day) : NaN;
}

/** The filters of the list, by their names (contract: List calls). */
const FILTERS: Record<string, Fits> = {
	assistant_id: (call, wanted) => hasId(callParents(call).assistant_id, wanted),
	campaign_id: (call, wanted) => hasId(callParents(call).campaign_id, wanted),
	status: hasStatus,
	type: hasType,
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
