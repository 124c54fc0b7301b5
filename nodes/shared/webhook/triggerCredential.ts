import { ExpressionError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CREDENTIAL } from '../client/credential';
import { InvalidInput } from '../client/errors';
import type { WebhookTriggerContext } from './identity';

const expressionNeedsItem = () =>
	new InvalidInput({
		message:
			'The credential has an expression that needs an item, such as {{ $json.token }}. A trigger has no item when it is published',
		nextStep: 'Choose a credential with fixed values.',
	});

/**
 * Reads the credential of a trigger. n8n evaluates its expressions without a workflow and without items then
 * (n8n 2.0, 2.41): `$json` and `$('Node')` throw, and `$itemIndex` is 0.
 *
 * @returns its fields, decrypted
 * @throws {InvalidInput} when an expression needs an item, and what n8n throws
 */
export async function triggerCredential(
	context: WebhookTriggerContext,
): Promise<ICredentialDataDecryptedObject> {
	const credential = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	return await credential.catch((error: unknown) => {
		throw error instanceof ExpressionError ? expressionNeedsItem() : error;
	});
}
