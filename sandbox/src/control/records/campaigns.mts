import { CALL_STATUSES, LEAD_STATUSES } from '../../contract/statuses.mts';
import type { SandboxEngine } from '../../runtime/engine.mts';
import type { Campaign } from '../../store/records.mts';
import type { State } from '../../store/store.mts';
import { iso, names, type RecordKind } from './recordKind.mts';

const brief = (campaign: Campaign, { state }: SandboxEngine) => ({
	id: campaign.id,
	user_id: campaign.user_id,
	created_at: iso(campaign.created_at),
	updated_at: iso(campaign.updated_at),
	name: campaign.name,
	status: campaign.status,
	assistant_id: campaign.assistant_id,
	assistant_name: names(state).assistant(campaign.assistant_id),
	progress: progress(state, campaign.id),
});

/** Campaigns, with what became of their leads and calls. */
export const campaigns: RecordKind<Campaign> = {
	name: 'campaign',
	table: (state) => state.campaigns,
	filters: {},
	searched: ['name'],
	brief,
	whole: (campaign, engine) => ({
		...brief(campaign, engine),
		outcomes: outcomes(engine.state, campaign.id),
	}),
};

/** How many of a campaign's leads have each status, and how many calls it has running. */
function progress({ leads, calls }: State, campaignId: number) {
	const byStatus = LEAD_STATUSES.map((status): [string, number] => [
		status,
		leads.count([
			['campaign_id', 'is', campaignId],
			['status', 'is', status],
		]),
	]);
	return {
		...Object.fromEntries(byStatus),
		total: byStatus.reduce((sum, [, count]) => sum + count, 0),
		running_calls: calls.count([
			['campaign_id', 'is', campaignId],
			['running', 'is', true],
		]),
	};
}

/** How many of a campaign's finished calls ended with each status that occurs. */
function outcomes({ calls }: State, campaignId: number): { [status: string]: number } {
	const byStatus = CALL_STATUSES.map((status): [string, number] => [
		status,
		calls.count([
			['campaign_id', 'is', campaignId],
			['running', 'is', false],
			['status', 'is', status],
		]),
	]);
	return Object.fromEntries(byStatus.filter(([, count]) => count > 0));
}
