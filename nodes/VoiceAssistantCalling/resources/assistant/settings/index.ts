import type { Field } from '../../../fields/routing';
import { variables } from '../../common/variables';
import { afterTheCall } from './afterTheCall';
import { callHandling } from './callHandling';
import { conversation } from './conversation';
import { postCallSchema } from './postCallSchema';
import { tools } from './tools';
import { voice } from './voice';

/** The optional settings of an assistant, grouped by subject. A list has its place outside of a group. */
export const settings: Field[] = [
	callHandling,
	conversation,
	voice,
	afterTheCall,
	...variables('They replace all variables that the assistant has'),
	tools,
	...postCallSchema,
];
