import type { IDataObject } from 'n8n-workflow';

import { inOrder } from '../../../shared/calls/callOrder';
import { callFields } from '../../../shared/calls/normaliseCall';
import { getOutcome } from '../../../shared/calls/outcome';
import { recordOutput } from '../common/output';

/** A record of the list in the shape that the triggers give (docs/calls.md). */
function convert(record: IDataObject): IDataObject {
	const call = callFields(record);
	return inOrder({ ...call, outcome: getOutcome(call) });
}

const SIMPLIFIED = [
	'id',
	'outcome',
	'status',
	'type',
	'client_phone_number',
	'assistant_name',
	'created_at',
	'duration',
	'variables',
	'transcript',
];

/** Makes the output of a call. A model would be flooded by transcripts. */
export const callOutput = recordOutput({
	convert,
	simplified: SIMPLIFIED,
	ifPresent: ['transcript_entries'],
	longFields: ['transcript', 'transcript_entries'],
	added: { outcome: { type: 'string' } },
});
