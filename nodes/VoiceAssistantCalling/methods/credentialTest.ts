import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { connectionFailure } from '../../shared/client/connection';
import { ACCOUNT_PATH, checkToken, toEndpoint } from '../../shared/client/credential';
import { DescribedError } from '../../shared/client/errors';
import { toServiceError } from '../../shared/client/failedRequest';
import { receiveResponse, type ParsedResponse } from '../../shared/client/response';
import { toContractBody } from '../../shared/records/responseBody';

const CREDENTIAL_TEST_TIMEOUT_MS = 15_000;

const NOT_THE_SERVICE =
	'Something answered at the Base URL, but not the service. Check the address: it must be the one of the API and end in /api.';

/** Rejects with the reason of a signal. */
const aborted = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason as Error));
	});

/**
 * Reads a path. n8n gives tests of credentials this helper only. It is deprecated for nodes, but n8n's
 * SSRF protection and proxy settings apply to it (n8n.md#tests-of-a-credential). It takes no signal, so the time limit
 * is set twice: the option `timeout` starts anew with each byte.
 */
async function read(
	context: ICredentialTestFunctions,
	url: string,
	token: string,
	timeLimit: AbortSignal,
): Promise<ParsedResponse> {
	const response = context.helpers.request({
		method: 'GET',
		uri: url,
		headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
		// A redirect would take the token to another host.
		followRedirect: false,
		simple: false,
		resolveWithFullResponse: true,
		useStream: true,
		timeout: CREDENTIAL_TEST_TIMEOUT_MS,
	}) as Promise<IN8nHttpFullResponse>;
	const received = response.then((begun) =>
		receiveResponse({ ...begun, isRead: true }, timeLimit, token),
	);
	return await Promise.race([received, aborted(timeLimit)]).catch((error: unknown) => ({
		failure: connectionFailure(error),
	}));
}

/** Whether an answer is an account (public-service: GET `/user/me`; S1, S2, S4). */
const isAccount = (response: ParsedResponse): boolean =>
	'body' in response &&
	['name', 'email', 'total_balance'].every((name) => Object.hasOwn(response.body, name));

/** Whether another request can tell more: the provider lacks the operation, or answers in another form. */
const canTellMore = (response: ParsedResponse): boolean =>
	'body' in response || /^(2..|404|405)$/.test(response.failure.httpCode ?? '');

/**
 * Reads the account, which changes nothing. Where that says nothing, it reads one call (contract: list calls).
 *
 * @returns whether the account or a list of calls came back
 * @throws {DescribedError} when the credential is wrong, or the request failed
 */
async function isService(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const { baseUrl } = toEndpoint(data);
	const timeLimit = AbortSignal.timeout(CREDENTIAL_TEST_TIMEOUT_MS);
	const readPath = async (path: string) =>
		await read(context, baseUrl + path, checkToken(data.apiToken), timeLimit);
	const account = await readPath(ACCOUNT_PATH);
	if (isAccount(account)) return true;
	const response = canTellMore(account) ? await readPath('/user/calls?per_page=1') : account;
	if ('failure' in response) throw toServiceError('GET', response.failure);
	const body = toContractBody(response.body, { isList: true, toRecord: (call) => call });
	return Array.isArray(body.data);
}

/**
 * Tests the credential with a documented request and says what is wrong. n8n's own test requests follow
 * redirects with the token and cannot tell failures apart.
 *
 * @param credential base URL and token as entered
 * @returns OK, or what happened and what to do
 */
async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		return (await isService(this, data))
			? { status: 'OK', message: 'The service accepted the API token' }
			: { status: 'Error', message: NOT_THE_SERVICE };
	} catch (error) {
		const message = error instanceof DescribedError ? error.text : 'The test failed unexpectedly';
		return { status: 'Error', message };
	}
}

/** The tests of credentials. Each node names its test in `testedBy`. */
export const credentialTest = { testCredential };
