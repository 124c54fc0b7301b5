import type { Field } from '../../../fields/routing';
import { variables } from '../../common/variables';
import { afterTheCall } from './afterTheCall';
import { callHandling } from './callHandling';
import { conversation } from './conversation';
import { postCallSchema } from './postCallSchema';
import { tools } from './tools';
import { voice } from './voice';

/**
 * The optional settings of an assistant, grouped by subject. A setting is sent only when the user adds it.
 * A list has its place outside of a group.
 *
 * @param unset says what happens to the settings that the user does not add
 * @param aboutLists stands in front of the lists
 */
export const settings = (unset: string, ...aboutLists: Field[]): Field[] => [
	...[callHandling, conversation, voice, afterTheCall].map((group) => ({
		...group,
		description: `${group.description}. ${unset}`,
	})),
	...aboutLists,
	...variables('Custom values that the assistant can use in the conversation'),
	tools,
	...postCallSchema,
];
