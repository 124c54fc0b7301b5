import {
	convertFields,
	flagToBoolean,
	toNumber,
	type Conversions,
} from '../../../shared/values/conversions';
import { recordOutput } from '../common/output';

/** The types of an assistant's fields that the service writes differently (contract: Assistant record). */
const CONVERSIONS: Conversions = new Map([
	['llm_temperature', toNumber],
	['voice_stability', toNumber],
	['voice_similarity', toNumber],
	['speech_speed', toNumber],
	['ambient_sound_volume', toNumber],
	['fillers', flagToBoolean],
	['end_call_on_voicemail', flagToBoolean],
]);

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
	convert: (assistant) => convertFields(assistant, CONVERSIONS),
	simplified: SIMPLIFIED,
});
