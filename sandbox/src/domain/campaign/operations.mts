import { notFound } from '../../base/apiError.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Handler } from '../context.mts';
import { findOwned } from '../ownership.mts';

const MESSAGES = {
	start: 'Campaign started successfully.',
	stop: 'Campaign stopped successfully.',
};

/** POST /user/campaigns/update-status. Stopping makes no new calls; running ones finish. */
export const updateCampaignStatus: Handler<Schemas['CampaignStatusUpdate']> = (
	context,
	user,
	{ body },
) => {
	const campaign = findOwned(context.state.campaigns, body.campaign_id, user);
	if (!campaign) throw notFound('Campaign');
	const status = context.assumptions['campaign-status'][body.action];
	context.state.campaigns.update({ ...campaign, status, updated_at: context.now });
	context.callLeads(campaign.id);
	return {
		status: 200,
		body: {
			message: MESSAGES[body.action],
			success: true,
			data: { campaign_id: campaign.id, status },
		},
	};
};
