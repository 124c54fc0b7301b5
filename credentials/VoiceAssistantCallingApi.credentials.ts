import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { ASSISTANT_LIST_PATH, checkToken } from '../nodes/shared/client/credential';

/**
 * Address and token of the service. Several companies sell the service under their own host name, so
 * the address belongs here and has no default.
 *
 * The action node tests it (`testedBy`). A `test` request here would follow redirects with the token
 * (n8n.md#tests-of-a-credential) and could not tell failures apart.
 */
export class VoiceAssistantCallingApi implements ICredentialType {
	name = 'voiceAssistantCallingApi';

	displayName = 'Voice Assistant Calling API';

	icon: Icon = {
		light: 'file:../icons/voiceAssistantCalling.svg',
		dark: 'file:../icons/voiceAssistantCalling.dark.svg',
	};

	documentationUrl =
		'https://github.com/voice-assistant-calling/n8n-nodes-voice-assistant-calling/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://calls.example.com/api',
			description:
				'Address of the service as your provider gives it, with https:// in front and /api at the end',
		},
		{
			displayName: 'API Token',
			name: 'apiToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The token that your provider shows in your account settings',
		},
		{
			displayName: 'Default Country Code',
			name: 'defaultCountryCode',
			type: 'string',
			default: '',
			placeholder: 'e.g. 49',
			description:
				'Country code of phone numbers that have none. With 49, 0151 12345678 is sent as +4915112345678. Leave it empty to send such numbers unchanged.',
		},
		{
			displayName: 'Use Other List Paths',
			name: 'useOtherListPaths',
			type: 'boolean',
			default: false,
			description:
				'Whether your provider has the list of assistants at another path. Leave it off unless the list says that the service does not have it.',
		},
		// n8n leaves out the values of hidden fields when it decrypts the credential (n8n.md#hidden-fields-of-a-credential).
		{
			displayName: 'Assistant List Path',
			name: 'assistantListPath',
			type: 'string',
			default: ASSISTANT_LIST_PATH,
			displayOptions: { show: { useOtherListPaths: [true] } },
			description: 'Path of the list of assistants, below the Base URL',
		},
	];

	/** A function, because n8n 2.41 would evaluate an expression for every request. */
	authenticate: IAuthenticate = async (
		{ apiToken }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> =>
		await Promise.resolve({
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${checkToken(apiToken)}` },
		});
}
