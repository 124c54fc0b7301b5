import { assistantLocator } from '../../../shared/assistants/locators';
import { ASSISTANT_LIST_PATH } from '../../../shared/client/credential';
import type { Field } from '../../fields/routing';
import type { OneOfList } from '../operation';

/** The path is assumed, so the user can change it in the credential. */
export const listUrl = `={{$credentials.assistantListPath || "${ASSISTANT_LIST_PATH}"}}`;

/** Picks one assistant. It has no routing: the transport reads the list until the assistant comes. */
export const assistantField: Field = { ...assistantLocator, required: true };

/** The service cannot give one assistant (contract: Endpoints). */
export const oneAssistant: OneOfList = {
	idField: assistantField.name,
	notFound: 'Assistant not found',
	nextStep: 'Check the ID. It does not exist in the account that the API token belongs to.',
};
