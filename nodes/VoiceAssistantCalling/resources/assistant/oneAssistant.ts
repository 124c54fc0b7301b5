import { assistantLocator } from '../../../shared/assistants/locators';
import type { Field } from '../../fields/routing';
import type { OneOfList } from '../resource';

/** Picks one assistant. It has no routing: the transport reads the list until the assistant comes. */
export const assistantField: Field = { ...assistantLocator, required: true };

/** The service cannot give one assistant (contract: Endpoints). */
export const oneAssistant: OneOfList = {
	idField: assistantField.name,
	notFound: 'Assistant not found',
	nextStep: 'Check the ID. It does not exist in the account that the API token belongs to.',
};
