import { recordShapes } from '../../../shared/records/recordShapes';
import type { Operation } from '../operation';
import { campaignField } from './fields';
import { parseStatus } from './parseStatus';

export const stop: Operation = {
	name: 'Stop',
	action: 'Stop campaign',
	description: 'Make no further calls for a campaign',
	request: { method: 'POST', url: '/user/campaigns/update-status', body: { action: 'stop' } },
	record: recordShapes.campaignStatus,
	parseResponse: parseStatus,
	fields: [campaignField()],
};
