import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { getLocatorValue } from '../../shared/fields/values';
import { asText } from '../../shared/values/json';

/** The modes of an assistant, and the models of each (public-service: Voices, languages, models; S1, S2). */
const MODEL_TYPES = new Map([
	['pipeline', 'llm'],
	['multimodal', 'multimodal'],
	['dualplex', 'dualplex'],
]);

/** What the user has chosen in the form of a new assistant, or of a change. An expression is no choice yet. */
export function chosenInForm(context: ILoadOptionsFunctions, name: 'engineType' | 'language') {
	const value =
		context.getCurrentNodeParameter(name) ??
		context.getCurrentNodeParameter(`updateFields.${name}`);
	return asText(getLocatorValue(value)).trim();
}

/** The chosen mode and the type of its models; undefined when the form does not say it. */
export function chosenMode(context: ILoadOptionsFunctions) {
	const mode = chosenInForm(context, 'engineType');
	const type = MODEL_TYPES.get(mode);
	return type === undefined ? undefined : { mode, type };
}
