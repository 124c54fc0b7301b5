import type { IDataObject } from 'n8n-workflow';

import { asText } from '../client/json';
import { chosenValues } from '../fields/values';
import { possibleOutcomes } from './outcome';

/** What a user filters calls by. An empty filter lets every call pass. */
export interface CallFilters {
	campaignId?: unknown;
	directions?: unknown;
	/** In seconds. */
	minimumDuration?: unknown;
	outcomes?: unknown;
}

type Filter = (call: IDataObject, wanted: unknown) => boolean;

/** Whether the user chose one of the values, or nothing. */
function includesOneOf(wanted: unknown, values: unknown[]): boolean {
	const chosen = chosenValues(wanted);
	return chosen.length === 0 || values.some((value) => chosen.includes(value));
}

const hasCampaign: Filter = ({ campaign_id: id, campaign }, wanted) => {
	if (asText(wanted) === '') return true;
	const belongsToNone = id === null || (id === undefined && campaign === null);
	if (belongsToNone) return false;
	return id === undefined || asText(id) === asText(wanted);
};

const hasDirection: Filter = ({ type }, wanted) =>
	asText(type) === '' || includesOneOf(wanted, [type]);

const hasDuration: Filter = ({ duration }, wanted) =>
	typeof duration !== 'number' || !(duration < Number(wanted));

const hasOutcome: Filter = (call, wanted) => includesOneOf(wanted, possibleOutcomes(call));

/**
 * Tells whether a call passes all filters. A filter on a field that the call lacks lets it pass, because
 * a service need not send the field (assumed: webhook-payload), and no call must be lost for that.
 *
 * @param call in the shape of {@link normaliseCall}
 */
export const passesFilters = (call: IDataObject, filters: CallFilters): boolean =>
	hasCampaign(call, filters.campaignId) &&
	hasDirection(call, filters.directions) &&
	hasDuration(call, filters.minimumDuration) &&
	hasOutcome(call, filters.outcomes);
