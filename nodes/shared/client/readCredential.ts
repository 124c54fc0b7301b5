import type { ICredentialDataDecryptedObject, IHookFunctions, IPollFunctions } from 'n8n-workflow';

import { CREDENTIAL } from './credential';
import { InvalidInput } from './errors';
import { isRecord } from './json';

/** How n8n names the error of an expression that it cannot evaluate (n8n 2.0, 2.41). */
const isExpressionError = (error: unknown) => isRecord(error) && error.name === 'ExpressionError';

const itemNeeded = () =>
	new InvalidInput({
		message: 'The credential has an expression that needs an item, which a trigger does not have',
		nextStep: 'Choose a credential without such an expression.',
	});

/**
 * Reads the credential of a trigger.
 *
 * @returns its fields, decrypted
 * @throws {InvalidInput} when a field is an expression that needs an item, such as `{{ $json.token }}`.
 * n8n only says that a node without a name has not been executed (n8n 2.0, 2.41)
 */
export const readCredential = async (
	context: IHookFunctions | IPollFunctions,
): Promise<ICredentialDataDecryptedObject> =>
	await context.getCredentials(CREDENTIAL).catch((error: unknown) => {
		throw isExpressionError(error) ? itemNeeded() : error;
	});
