import { asAssumed, differs } from '../check.mts';
import { IMPOSSIBLE_ASSISTANT } from './impossible.mts';
import { otherwise, refusal, refusedCheck } from './refusals.mts';

/** Voice, language, phone number and tool do not exist, nor does the model. */
const references = refusal('POST', '/user/assistant', IMPOSSIBLE_ASSISTANT);

const unknownReferences = refusedCheck(
	'unknown-references',
	'an unknown voice, phone number or tool is refused by its field',
	[references],
	(expected, refused) => {
		const wanted = ['voice_id', 'phone_number_id', 'tool_ids.0'];
		const isComplete = wanted.every((field) => refused.fields.includes(field));
		return isComplete ? asAssumed(expected) : otherwise(expected, refused);
	},
);

const availableLanguages = refusedCheck(
	'available-languages',
	'an unknown language is refused',
	[references],
	(expected, refused) => {
		if (refused.fields.includes('language')) return asAssumed(expected);
		return refused.isValidation
			? differs(expected, 'it is not refused with the other fields', { certainty: 'likely' })
			: otherwise(expected, refused);
	},
);

const availableModels = refusedCheck(
	'available-models',
	'any name of a model is accepted',
	[references],
	(expected, refused) => {
		if (!refused.isValidation) return otherwise(expected, refused);
		return refused.fields.includes('llm_model')
			? differs(expected, 'an unknown name is refused', {
					advice: 'Ask the provider for the names.',
				})
			: asAssumed(expected, expected, 'likely');
	},
);

export const REFERENCE_CHECKS = [unknownReferences, availableLanguages, availableModels];
