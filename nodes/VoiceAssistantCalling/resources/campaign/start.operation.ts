import { recordShapes } from '../../../shared/records/recordShapes';
import type { Operation } from '../operation';
import { campaignField } from './fields';
import { parseStatus } from './parseStatus';

export const start: Operation = {
	name: 'Start',
	action: 'Start campaign with paid calls',
	description: 'Begin to call all leads of a campaign. The calls cost money.',
	request: { method: 'POST', url: '/user/campaigns/update-status', body: { action: 'start' } },
	record: recordShapes.campaignStatus,
	parseResponse: parseStatus,
	fields: [campaignField('The campaign calls its leads, which costs money')],
	getCost: () => ({ cost: 'a call per open lead' }),
	/** A start calls all leads, so a second start of the same campaign is hardly ever wanted. */
	hintAfterRun({ outputs, runIndex }) {
		const campaigns = outputs.flatMap(({ campaign_id: id }) => id ?? []);
		if (runIndex === 0 && new Set(campaigns).size === campaigns.length) return undefined;
		return "This node has started campaigns several times. One start calls all leads of a campaign, so place the node behind the loop, or switch on 'Execute Once' under Settings.";
	},
};
