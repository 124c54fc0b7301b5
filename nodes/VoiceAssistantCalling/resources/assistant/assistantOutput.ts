import type { IDataObject } from 'n8n-workflow';

import { toFlag, toMap, toNumber } from '../../../shared/client/conversions';
import { recordOutput } from '../common/output';

type Value = IDataObject[string];

/** The types of an assistant's fields that the service writes differently (contract: Assistant record). */
const CONVERSIONS = new Map<string, (value: Value) => Value>([
	['llm_temperature', toNumber],
	['voice_stability', toNumber],
	['voice_similarity', toNumber],
	['speech_speed', toNumber],
	['ambient_sound_volume', toNumber],
	['fillers', toFlag],
	['end_call_on_voicemail', toFlag],
	['variables', toMap],
	['widget_settings', toMap],
]);

const convert = (assistant: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(assistant).map(([name, value]) => [
			name,
			CONVERSIONS.get(name)?.(value) ?? value,
		]),
	);

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
export const assistantOutput = recordOutput({ convert, simplified: SIMPLIFIED });
