import type {
	ICredentialDataDecryptedObject,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { CREDENTIAL } from './credential';
import { InvalidInput } from './errors';
import { isRecord } from './json';

/** How n8n names the error of an expression that it cannot evaluate (n8n 2.0, 2.41). */
const isExpressionError = (error: unknown) => isRecord(error) && error.name === 'ExpressionError';

const itemNeeded = () =>
	new InvalidInput({
		message:
			'The credential has an expression that needs an item, such as {{ $json.token }}. Triggers and lists to choose from have none',
		nextStep: 'Choose a credential with fixed values.',
	});

/**
 * Reads the credential of a trigger or a picker. n8n evaluates its expressions without a workflow and
 * without items (n8n 2.0, 2.41): `$json` and `$('Node')` throw, and `$itemIndex` is 0.
 *
 * @returns its fields, decrypted
 * @throws {InvalidInput} when an expression needs an item, and what n8n throws
 */
export const credentialWithoutItem = async (
	context: IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions,
): Promise<ICredentialDataDecryptedObject> =>
	await context
		.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL)
		.catch((error: unknown) => {
			throw isExpressionError(error) ? itemNeeded() : error;
		});
