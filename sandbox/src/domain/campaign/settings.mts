import type { Assumptions } from '../../contract/assumptions.mts';
import type { Campaign } from '../../store/records.mts';

const MINUTE = 60_000;

const WEEKDAYS = [
	...(['monday', 'tuesday', 'wednesday', 'thursday'] as const),
	...(['friday', 'saturday', 'sunday'] as const),
];

/**
 * How a campaign calls: as it was created, or as assumed (assumptions: campaign-parallel-calls, lead-attempts,
 * lead-retry-wait).
 */
export const campaignSettings = ({ settings }: Campaign, assumptions: Assumptions) => ({
	max_calls_in_parallel: assumptions['campaign-parallel-calls'],
	mark_complete_when_no_leads: false,
	allowed_hours_start_time: '00:00',
	allowed_hours_end_time: '23:59',
	allowed_days: WEEKDAYS,
	max_retries: assumptions['lead-attempts'],
	/** Minutes. */
	retry_interval: assumptions['lead-retry-wait'] / MINUTE,
	...settings,
});

/** The wait after a call that did not reach the lead, in milliseconds. */
export const retryWait = (campaign: Campaign, assumptions: Assumptions): number =>
	campaignSettings(campaign, assumptions).retry_interval * MINUTE;
