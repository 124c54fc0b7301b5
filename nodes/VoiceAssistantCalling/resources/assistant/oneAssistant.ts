import { LIST_PATH_ADVICE } from '../../../shared/assistants/find';
import { assistantLocator } from '../../../shared/assistants/assistantLocators';
import { ASSISTANT_LIST_PATH } from '../../../shared/client/credential';
import { parseResponse, type ParseResponse } from '../../../shared/client/response';
import { required } from '../../../shared/pickers/locator';
import type { Field } from '../../fields/routing';
import type { OneOfList } from '../operation';

/** The contract does not show the path, so the user can change it in the credential. */
export const listUrl = `={{$credentials.assistantListPath || "${ASSISTANT_LIST_PATH}"}}`;

/** Where a list is missing, no ID can be wrong. @param advice what to do then */
export const parseListOr =
	(advice: string): ParseResponse =>
	(response, secret) => {
		const parsed = parseResponse(response, secret);
		const isMissing = 'failure' in parsed && [404, 405].includes(response.statusCode);
		return isMissing ? { failure: { ...parsed.failure, advice } } : parsed;
	};

export const parseList = parseListOr(LIST_PATH_ADVICE);

/** Picks one assistant. It has no routing: the transport reads the list until the assistant comes. */
export const assistantField: Field = required(assistantLocator);

/** The service cannot give one assistant (contract: Endpoints). */
export const oneAssistant: OneOfList = {
	idField: assistantField.name,
	notFound: 'Assistant not found',
	nextStep: 'Check the ID. It does not exist in the account that the API token belongs to.',
};
