import { checkBaseUrl } from '../shared/client/credential';
import { triggerKey } from '../shared/webhook/triggerContext';
import type { PollRun } from './listCalls';

/**
 * Whose cursors they are. Exports on the command line have the static data, so a copy gets the cursors
 * of another trigger.
 */
export const getCursorOwner = ({ context, credential }: PollRun): string =>
	`${triggerKey(context)} ${checkBaseUrl(credential.baseUrl)}`;
