import type { Field } from '../../../fields/routing';
import { afterTheCall } from './afterTheCall';
import { callHandling } from './callHandling';
import { conversation } from './conversation';
import { toolsAndVariables } from './toolsAndVariables';
import { voice } from './voice';

/**
 * The optional settings of an assistant, grouped by subject. A setting is sent only when the user adds it.
 *
 * @param unset says what happens to the settings that the user does not add
 */
export const settings = (unset: string): Field[] =>
	[callHandling, conversation, voice, toolsAndVariables, afterTheCall].map((group) => ({
		...group,
		description: `${group.description}. ${unset}`,
	}));
