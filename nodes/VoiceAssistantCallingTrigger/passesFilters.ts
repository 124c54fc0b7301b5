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

/** Without a campaign, lead and campaign are null (public-service: Post-call webhook; S1). */
const hasCampaign: Filter = ({ campaign_id: id, campaign, lead }, wanted) => {
	if (asText(wanted) === '') return true;
	if (id === undefined) return campaign !== null && lead !== null;
	return asText(id) === asText(wanted);
};

const hasDirection: Filter = ({ type }, wanted) => isChosen(type, chosenValues(wanted));

const hasDuration: Filter = ({ duration }, wanted) =>
	typeof duration !== 'number' || !(duration < Number(wanted));

const hasOutcome: Filter = (call, wanted) =>
	possibleOutcomes(call).some((outcome) => isChosen(outcome, chosenValues(wanted)));

/**
 * Tells whether a call passes all filters. A filter on a field that the call lacks lets it pass, because
 * a service need not send the field (contract: Events), and no call must be lost for that.
 *
 * @param call in the shape of {@link normaliseCall}
 */
export const passesFilters = (call: IDataObject, filters: CallFilters): boolean =>
	hasCampaign(call, filters.campaignId) &&
	hasDirection(call, filters.directions) &&
	hasDuration(call, filters.minimumDuration) &&
	hasOutcome(call, filters.outcomes);
