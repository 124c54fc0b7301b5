import { afterTheCall } from './afterTheCall';
import { callHandling } from './callHandling';
import { conversation } from './conversation';
import { toolsAndVariables } from './toolsAndVariables';
import { voice } from './voice';

/** The optional settings of an assistant, grouped by subject. */
export const settings = [callHandling, conversation, voice, toolsAndVariables, afterTheCall];
