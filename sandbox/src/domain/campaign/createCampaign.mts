import { ApiError, invalidFields } from '../../base/apiError.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Handler } from '../context.mts';
import { addEvent, describeCampaign } from '../events.mts';
import { findOwned } from '../ownership.mts';
import { campaignRecord } from './record.mts';

/**
 * POST /user/campaigns. The defaults of the description are filled in before (public-service.md: POST
 * /user/campaigns, S1).
 */
export const createCampaign: Handler<Schemas['CampaignCreate']> = (context, user, { body }) => {
	const { state, now, assumptions } = context;
	const { name, assistant_id, ...settings } = body;
	const assistant = findOwned(state.assistants, assistant_id, user);
	if (assistant?.settings.calls_direction !== 'make') {
		throw new ApiError(404, 'Assistant not found or not an outbound assistant.');
	}
	const lines = settings.phone_number_ids ?? [];
	const unknown = lines.findIndex((id) => !findOwned(state.phoneNumbers, id, user));
	if (unknown >= 0) {
		const field = `phone_number_ids.${unknown}`;
		const errors = { [field]: [`The selected ${field} is invalid.`] };
		throw invalidFields(errors, 'The given data was invalid.');
	}
	const campaign = state.campaigns.insert({
		user_id: user.id,
		name,
		assistant_id,
		status: assumptions['campaign-status'].initial,
		mix: null,
		settings,
		created_at: now,
		updated_at: now,
	});
	const text = `${describeCampaign(campaign)} was created.`;
	const subjects = { user_id: user.id, assistant_id, campaign_id: campaign.id };
	addEvent(context, { kind: 'campaign-changed', text, ...subjects });
	const data = campaignRecord(campaign, assumptions);
	return { status: 201, body: { message: 'Campaign created successfully', data } };
};
