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
import { readResponse, type Outcome } from '../../shared/client/response';

const TIMEOUT_MS = 15_000;

const NOT_THE_SERVICE =
	'Something answered at the Base URL, but not the service. Check the address: it must be the one of the API and end in /api.';

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** Asks for one call record: the smallest documented request that only reads (contract: list calls). */
async function readOneCall(url: string, token: string): Promise<Outcome> {
	const response = await fetch(url, {
		headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
		// The token stays with its host.
		redirect: 'manual',
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	return readResponse({
		statusCode: response.status,
		headers: Object.fromEntries(response.headers),
		body: parsed(await response.text()),
	});
}

/**
 * @returns whether a list of calls came back
 * @throws {DescribedError} when the credential is wrong, or the request failed
 */
async function isService(data: ICredentialDataDecryptedObject): Promise<boolean> {
	const url = `${endpointOf(data).baseUrl}/user/calls?per_page=1`;
	const outcome = await readOneCall(url, checkedToken(data.apiToken)).catch((error: unknown) => ({
		failure: connectionFailure(error),
	}));
	if ('failure' in outcome) throw toServiceError('GET', outcome.failure);
	return Array.isArray(outcome.body.data);
}

/**
 * Tests the credential against a documented endpoint and says in words what is wrong. n8n's own test
 * requests would follow redirects with the token and cannot tell failures apart, and the helper that
 * n8n gives to tests is deprecated. This one uses `fetch`, which does not know n8n's proxy settings.
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

/** Tests credentials; each node names the test in `testedBy`. */
export const credentialTest = { testCredential };
