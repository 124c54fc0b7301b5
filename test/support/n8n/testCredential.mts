import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../../../host/n8n/names.mts';
import { credentialTest } from '../../../nodes/VoiceAssistantCalling/methods/credentialTest.ts';

/** Clicks *Test* of a credential. */
export const testCredential = (data: ICredentialDataDecryptedObject) =>
	credentialTest.testCredential.call(new CredentialTestContext(), {
		id: '1',
		name: 'Voice Assistant Calling API',
		type: CREDENTIAL_TYPE,
		data,
	});
