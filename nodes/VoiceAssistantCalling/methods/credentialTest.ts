import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { connectionFailure } from '../../shared/client/connection';
import { checkedToken, endpointOf } from '../../shared/client/credential';
import { DescribedError } from '../../shared/client/errors';
import { toServiceError } from '../../shared/client/failure';
import { parseResponse, type ParsedResponse } from '../../shared/client/response';

const CREDENTIAL_TEST_TIMEOUT_MS = 15_000;

const NOT_THE_SERVICE =
	'Something answered at the Base URL, but not the service. Check the address: it must be the one of the API and end in /api.';

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** Reads one call record: the smallest request that changes nothing (contract: list calls). */
async function readOneCall(url: string, token: string): Promise<ParsedResponse> {
	const response = await fetch(url, {
		headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
		// A redirect would take the token to another host.
		redirect: 'manual',
		signal: AbortSignal.timeout(CREDENTIAL_TEST_TIMEOUT_MS),
	});
	return parseResponse(
		{
			statusCode: response.status,
			headers: Object.fromEntries(response.headers),
			body: parseJson(await response.text()),
		},
		token,
	);
}

/**
 * @returns whether a list of calls came back
 * @throws {DescribedError} when the credential is wrong, or the request failed
 */
async function isService(data: ICredentialDataDecryptedObject): Promise<boolean> {
	const url = `${endpointOf(data).baseUrl}/user/calls?per_page=1`;
	const response = await readOneCall(url, checkedToken(data.apiToken)).catch((error: unknown) => ({
		failure: connectionFailure(error),
	}));
	if ('failure' in response) throw toServiceError('GET', response.failure);
	return Array.isArray(response.body.data);
}

/**
 * Tests the credential with a documented request and says what is wrong. n8n's own test requests follow
 * redirects with the token and cannot tell failures apart. The helper that n8n gives to tests is
 * deprecated, so this test uses `fetch`, which ignores n8n's proxy settings.
 *
 * @param credential base URL and token as entered
 * @returns OK, or what happened and what to do
 */
async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		return (await isService(data))
			? { status: 'OK', message: 'The service accepted the API token' }
			: { status: 'Error', message: NOT_THE_SERVICE };
	} catch (error) {
		const message = error instanceof DescribedError ? error.text : 'The test failed unexpectedly';
		return { status: 'Error', message };
	}
}

/** The tests of credentials. Each node names its test in `testedBy`. */
export const credentialTest = { testCredential };
