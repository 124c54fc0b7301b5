import type { Handler } from '../context.mts';
import { addEvent, describeCampaign } from '../events.mts';
import { requireOwned } from '../ownership.mts';

/** DELETE /user/campaign/{id}: its leads go too (public-service.md: DELETE /user/campaign/{id}, S1). */
export const deleteCampaign: Handler = (context, user, { id }) => {
	const { campaigns, leads } = context.state;
	const campaign = requireOwned('Campaign', campaigns, id, user);
	for (const lead of leads.select([['campaign_id', 'is', id]])) leads.delete(lead.id);
	campaigns.delete(id);
	const text = `${describeCampaign(campaign)} was deleted, with its leads.`;
	const { assistant_id } = campaign;
	const subjects = { user_id: user.id, assistant_id, campaign_id: id };
	addEvent(context, { kind: 'campaign-changed', text, ...subjects });
	return { status: 200, body: { message: 'Campaign deleted successfully' } };
};
