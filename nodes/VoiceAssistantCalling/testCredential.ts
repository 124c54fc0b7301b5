import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { checkedBaseUrl } from '../shared/baseUrl';
import { connectionProblem } from '../shared/connectionProblem';
import { asText } from '../shared/json';
import { readAnswer, type Answer } from '../shared/readAnswer';
import { ServiceProblem } from '../shared/serviceProblem';

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

/** The token, if a header can hold it: `fetch` says in its own words, token included, if not. */
function checkedToken(value: unknown): string {
	const token = asText(value).trim();
	if (!/[^\x21-\x7e]/.test(token)) return token;
	throw new ServiceProblem({
		message: 'The API Token of the credential holds a character that no token has',
		description: 'Copy it once more from your provider.',
	});
}

/** Asks for one call record: the smallest documented request that only reads (contract: list calls). */
async function readOneCall(data: ICredentialDataDecryptedObject): Promise<Answer> {
	const url = `${checkedBaseUrl(data.baseUrl)}/user/calls?per_page=1`;
	const response = await fetch(url, {
		headers: { Accept: 'application/json', Authorization: `Bearer ${checkedToken(data.apiToken)}` },
		// The token stays with its host.
		redirect: 'manual',
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	const body = parsed(await response.text());
	return { statusCode: response.status, headers: Object.fromEntries(response.headers), body };
}

/**
 * Tests the credential against a documented endpoint and says in words what is wrong. n8n's own test
 * requests would follow redirects with the token and cannot tell failures apart, and the helper that
 * n8n gives to tests is deprecated, so it uses `fetch`, which does not know n8n's proxy settings.
 *
 * @param credential base URL and token as entered
 * @returns OK, or what happened and what to do; never throws
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const result = await readOneCall(data).then(
		(answer) => readAnswer(answer, true),
		(error) => (error instanceof ServiceProblem ? error : connectionProblem(error, true)),
	);
	if (result instanceof ServiceProblem) return { status: 'Error', message: result.inOneText };
	return Array.isArray(result.data)
		? { status: 'OK', message: 'The service accepted the API token' }
		: { status: 'Error', message: NOT_THE_SERVICE };
}
