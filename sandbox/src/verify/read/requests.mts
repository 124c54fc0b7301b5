import { asAssumed, differs, notChecked, readCheck } from '../check.mts';
import type { Response } from '../client.mts';
import { errorFields, isObject, safeNames } from '../describe.mts';
import { requireNoFailure } from '../requireNoFailure.mts';
import { CALLS_PATH, callList } from './lists.mts';
import { readPage } from './page.mts';

const FIRST = { per_page: 1 };

const hasMessage = ({ body }: Response): boolean =>
	isObject(body) && typeof body['message'] === 'string';

const unauthenticated = readCheck(
	'unauthenticated',
	'status 401 without a token and with a wrong one',
	async ({ client }, expected) => {
		const [without, wrong] = [
			await client.get(CALLS_PATH, FIRST, 'none'),
			await client.get(CALLS_PATH, FIRST, 'wrong'),
		];
		const statuses = [...new Set([without.status, wrong.status])];
		if (statuses.length > 1) {
			return differs(
				expected,
				`status ${without.status} without a token, ${wrong.status} with a wrong one`,
			);
		}
		const [status] = statuses;
		if (status === 401) return asAssumed(expected);
		return differs(expected, `status ${status}`, {
			...(status === 403 && { value: 403 }),
			advice: `${status === 403 ? 'The nodes speak of a missing permission then.' : 'Where the API token is wrong, the nodes say something else.'} Look at the API token first.`,
		});
	},
);

/** No service has it. */
const UNKNOWN_PATH = '/user/no-such-path';
/** Leads can be created there; nothing reads it. */
const WRITE_ONLY_PATH = '/user/lead';

const unknownPaths = readCheck(
	'unknown-paths',
	'status 404 for a path, 405 for a method',
	async ({ client }, expected) => {
		const path = await client.get(UNKNOWN_PATH);
		const method = await client.get(WRITE_ONLY_PATH);
		const seen = `status ${path.status} for a path, ${method.status} for a method`;
		const isPlain = hasMessage(path) && hasMessage(method);
		if (path.status === 404 && method.status === 405 && isPlain) return asAssumed(expected);
		const advice =
			'The nodes take a list for missing only at 404 and 405. Enter the list paths in the credential.';
		return differs(expected, isPlain ? seen : `${seen}, not as JSON with a message`, { advice });
	},
);

const unknownQueryParameters = readCheck(
	'unknown-query-parameters',
	'they are ignored',
	async ({ client }, expected) => {
		const response = await client.get(CALLS_PATH, { ...FIRST, no_such_parameter: 1 });
		requireNoFailure(response);
		if (readPage(response)) return asAssumed(expected);
		return differs(expected, `status ${response.status}`);
	},
);

/** A page below 1, which the description does not allow. */
const WRONG_QUERY = { page: 0 };

const queryErrors = readCheck(
	'query-errors',
	'a validation error that names the parameter',
	async ({ client }, expected) => {
		const response = await client.get(CALLS_PATH, WRONG_QUERY);
		requireNoFailure(response);
		const fields = errorFields(response.body);
		if (readPage(response)) return differs(expected, 'page 0 is accepted');
		if (fields?.includes('page')) return asAssumed(expected);
		const names = fields ? `errors of ${safeNames(fields)}` : 'no `errors`';
		return differs(expected, `status ${response.status}, ${names}`);
	},
);

const validationStatus = readCheck(
	'validation-status',
	'status 422',
	async ({ client }, expected) => {
		const { status, body } = await client.get(CALLS_PATH, WRONG_QUERY);
		requireNoFailure({ status });
		if (status === 200) return notChecked(expected, 'The list accepts page 0.');
		if (status === 422) return asAssumed(expected);
		const isValue = status === 400 && errorFields(body) !== undefined;
		return differs(expected, `status ${status}`, {
			...(isValue && { value: 400 }),
			advice: 'The nodes read `errors` from a refusal with any status.',
		});
	},
);

/** Which form the headers of a rate limit have; undefined for one that the sandbox does not know. */
function rateLimitForm(headers: Headers): string | undefined {
	const reset = headers.get('x-ratelimit-reset');
	if (reset !== null) {
		if (Number(reset) > 1e11) return 'x-time-ms';
		if (Number(reset) > 1e8) return 'x-time';
		return reset.includes('.') ? 'x-fraction' : 'x-seconds';
	}
	if (headers.has('ratelimit-limit')) return 'ietf-three';
	const one = headers.get('ratelimit');
	if (one === null) return undefined;
	return one.includes('limit=') ? 'ietf-one' : 'ietf-policy';
}

const rateLimitHeaders = readCheck(
	'rate-limit-headers',
	'no headers about a rate limit',
	async (run, expected) => {
		const { size } = await callList(run);
		const { headers } = await run.client.get(CALLS_PATH, { per_page: size });
		const names = [...headers.keys()].filter((name) => /rate-?limit/.test(name));
		if (names.length === 0) return asAssumed(expected);
		const form = rateLimitForm(headers);
		return differs(expected, names.join(', '), {
			...(form !== undefined && { value: { form, windows: 'first-request' } }),
			advice: 'The nodes wait before the limit is reached, where the headers say so.',
		});
	},
);

export const REQUEST_CHECKS = [
	unauthenticated,
	unknownPaths,
	unknownQueryParameters,
	queryErrors,
	validationStatus,
	rateLimitHeaders,
];
