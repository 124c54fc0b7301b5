import type { RecordShape } from '../records/fieldShape';
import { recordShapes } from '../records/recordShapes';

const { id, campaign_id, variables, campaign } = recordShapes.lead;

/** The fields of a call in a delivery (public-service: Post-call webhook), with those of a record of the list. */
export const callShape: RecordShape = {
	...recordShapes.call,
	assistant_id: { type: 'id' },
	campaign_id: { type: 'id' },
	input_variables: { type: 'object' },
	finished_at: { type: 'timestamp' },
	// Its times stay as they are: they have a zone, as those of the call.
	lead: { type: 'object', fields: { id, campaign_id, variables, campaign } },
	campaign,
};
