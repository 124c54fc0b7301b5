import type { RecordShape } from '../records/recordShape';
import { recordShapes } from '../records/recordShapes';

/** The fields of a call in a delivery (public-service: Post-call webhook), with those of a record of the list. */
export const callShape: RecordShape = {
	...recordShapes.call,
	assistant_id: { type: 'id' },
	campaign_id: { type: 'id' },
	input_variables: { type: 'object' },
	finished_at: { type: 'timestamp' },
	lead: { type: 'object', fields: recordShapes.lead },
	campaign: { type: 'object', fields: recordShapes.lead.campaign.fields },
};
