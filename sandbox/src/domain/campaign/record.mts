import type { Assumptions } from '../../contract/assumptions.mts';
import type { Schemas } from '../../contract/schemas.mts';
import type { Campaign } from '../../store/records.mts';
import { preciseTime } from '../times.mts';
import { campaignSettings } from './settings.mts';

/** A campaign as the service shows it (public-service.md: Campaign, S1, S2, S12a). */
export function campaignRecord(
	campaign: Campaign,
	assumptions: Assumptions,
): Schemas['CampaignRecord'] {
	const settings = campaignSettings(campaign, assumptions);
	return {
		id: campaign.id,
		name: campaign.name,
		status: campaign.status,
		max_calls_in_parallel: settings.max_calls_in_parallel,
		mark_complete_when_no_leads: settings.mark_complete_when_no_leads,
		allowed_hours_start_time: `${settings.allowed_hours_start_time}:00`,
		allowed_hours_end_time: `${settings.allowed_hours_end_time}:00`,
		allowed_days: settings.allowed_days,
		max_retries: settings.max_retries,
		retry_interval: Math.ceil(settings.retry_interval),
		created_at: preciseTime(campaign.created_at),
		updated_at: preciseTime(campaign.updated_at),
	};
}
