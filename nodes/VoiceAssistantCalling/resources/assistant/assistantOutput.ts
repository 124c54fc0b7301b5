import { toContractRecord } from '../../../shared/records/contractRecord';
import type { RecordShape } from '../../../shared/records/fieldShape';
import { recordOutput } from '../common/output';

/** The types of an assistant's fields that the service writes differently (contract: Assistant record). */
const OUTPUT_TYPES: RecordShape = {
	llm_temperature: { type: 'number' },
	voice_stability: { type: 'number' },
	voice_similarity: { type: 'number' },
	speech_speed: { type: 'number' },
	ambient_sound_volume: { type: 'number' },
	fillers: { type: 'boolean' },
	end_call_on_voicemail: { type: 'boolean' },
};

/** The webhook URLs are left out, because they can contain the token of a trigger. */
const SIMPLIFIED = [
	'id',
	'name',
	'type',
	'status',
	'phone_number_id',
	'language',
	'voice_id',
	'timezone',
	'is_webhook_active',
	'variables',
];

/** Makes the output of an assistant. */
export const assistantOutput = recordOutput({
	convert: (assistant) => toContractRecord(assistant, OUTPUT_TYPES),
	simplified: SIMPLIFIED,
});
