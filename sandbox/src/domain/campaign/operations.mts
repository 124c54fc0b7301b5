import { CampaignNotFound, CampaignRefusal } from '../../base/campaignRefusal.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Campaign } from '../../store/records.mts';
import type { Context, Handler } from '../context.mts';
import { addEvent, describeAssistant, describeCampaign } from '../events.mts';
import { createCampaign } from './createCampaign.mts';
import { deleteCampaign } from './deleteCampaign.mts';
import { campaignRecord } from './record.mts';

const MESSAGES = {
	start: 'Campaign started successfully.',
	stop: 'Campaign stopped successfully.',
};

/** Of the dashboard (public-service.md, Table 1: campaign-already-in-state, S1, S12a). */
const IN_STATE = { start: 'Campaign is already in progress', stop: 'Campaign is not running' };

const NO_BALANCE = 'Insufficient balance to start the campaign. Please top up your account.';

/** POST /user/campaigns/update-status. Stopping makes no new calls; running ones finish. */
const updateCampaignStatus: Handler<Schemas['CampaignStatusUpdate']> = (context, user, request) => {
	const { campaign_id, action } = request.body;
	const campaign = context.state.campaigns.get(campaign_id);
	if (campaign?.user_id !== user.id) throw new CampaignNotFound(campaign !== undefined);
	const { 'campaign-status': statuses, 'campaign-already-in-state': repeated } =
		context.assumptions;
	const isRunning = campaign.status === statuses.start;
	if (repeated === 'refused' && isRunning === (action === 'start')) {
		throw new CampaignRefusal(IN_STATE[action]);
	}
	if (action === 'start' && user.balance <= 0) throw new CampaignRefusal(NO_BALANCE);
	const status = statuses[action];
	context.state.campaigns.update({ ...campaign, status, updated_at: context.now });
	tell(context, campaign, action);
	context.callLeads(campaign.id);
	const data = { campaign_id, status };
	return { status: 200, body: { message: MESSAGES[action], success: true, data } };
};

function tell(context: Context, campaign: Campaign, action: 'start' | 'stop'): void {
	const name = describeCampaign(campaign);
	const { id, user_id, assistant_id } = campaign;
	const subjects = { user_id, assistant_id, campaign_id: id };
	if (action === 'stop') {
		const text = `${name} was stopped. It starts no new calls; running ones finish.`;
		addEvent(context, { kind: 'campaign-stopped', text, ...subjects });
		return;
	}
	const assistant = context.state.assistants.get(assistant_id);
	const caller = assistant
		? `Its leads are called by ${describeAssistant(assistant)}.`
		: 'It has no assistant, so it calls nobody.';
	addEvent(context, {
		kind: 'campaign-started',
		text: `${name} was started. ${caller}`,
		level: assistant ? 'info' : 'warning',
		...subjects,
	});
}

/** GET /user/campaigns: a bare list (public-service.md: GET /user/campaigns, S1, S2, S12a). */
const listCampaigns: Handler = ({ state, assumptions }, user) => ({
	status: 200,
	body: state.campaigns
		.select([['user_id', 'is', user.id]])
		.map((campaign) => campaignRecord(campaign, assumptions)),
});

export const operations = { createCampaign, deleteCampaign, listCampaigns, updateCampaignStatus };
