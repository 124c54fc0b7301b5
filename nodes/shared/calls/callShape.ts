import type { RecordShape } from '../records/recordShape';
import { recordShapes } from '../records/recordShapes';

/**
 * The fields of a call in a delivery, with those of a record of the list (contract: Call record). A delivery
 * promises none of them, so null stays null, and a filter lets the call pass. Only an object is never null.
 */
export const callShape: RecordShape = {
	...Object.fromEntries(
		Object.entries<RecordShape[string]>(recordShapes.call).map(([name, field]) => [
			name,
			field.type === 'object' ? field : { ...field, optional: true },
		]),
	),
	assistant_id: { type: 'id', optional: true },
	campaign_id: { type: 'id', optional: true },
	input_variables: { type: 'object' },
	finished_at: { type: 'timestamp', optional: true },
	lead: { type: 'object', optional: true, fields: recordShapes.lead },
	campaign: {
		type: 'object',
		optional: true,
		fields: { ...recordShapes.lead.campaign.fields, status: { type: 'string', optional: true } },
	},
};
