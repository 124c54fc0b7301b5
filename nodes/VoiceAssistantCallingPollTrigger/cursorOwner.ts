import { checkBaseUrl } from '../shared/client/credential';
import { asText } from '../shared/values/json';
import { toHash } from '../shared/webhook/token';
import { triggerKey } from '../shared/webhook/triggerContext';
import type { PollRun } from './listCalls';

/**
 * Whose cursors they are. Exports on the command line have the static data, so a copy gets the cursors
 * of another trigger.
 */
export const getCursorOwner = ({ context, credential }: PollRun): string =>
	`${triggerKey(context)} ${checkBaseUrl(credential.baseUrl)}`;

/** Tells accounts apart as far as a token can: an account can get a new one. */
export const getAccount = ({ credential }: PollRun): string => toHash(asText(credential.apiToken));
