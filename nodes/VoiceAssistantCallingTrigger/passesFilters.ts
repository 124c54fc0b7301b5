import type { IDataObject } from 'n8n-workflow';

import { isChosen } from '../shared/calls/isChosen';
import { possibleOutcomes } from '../shared/calls/outcome';
import { chosenValues } from '../shared/fields/values';
import { asText } from '../shared/values/json';

/** What a user filters calls by. An empty filter lets every call pass. */
export interface CallFilters {
	campaignId?: unknown;
	directions?: unknown;
	/** In seconds. */
	minimumDuration?: unknown;
	outcomes?: unknown;
}

type Filter = (call: IDataObject, wanted: unknown) => boolean;

const hasCampaign: Filter = ({ campaign_id: id, campaign }, wanted) => {
	if (asText(wanted) === '') return true;
	const belongsToNone = id === null || (id === undefined && campaign === null);
	if (belongsToNone) return false;
	return id === undefined || asText(id) === asText(wanted);
};

const hasDirection: Filter = ({ type }, wanted) => isChosen(type, chosenValues(wanted));

const hasDuration: Filter = ({ duration }, wanted) =>
	typeof duration !== 'number' || !(duration < Number(wanted));

const hasOutcome: Filter = (call, wanted) =>
	possibleOutcomes(call).some((outcome) => isChosen(outcome, chosenValues(wanted)));

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
