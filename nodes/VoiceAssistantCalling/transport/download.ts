import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { getCause } from '../../shared/client/connection';
import { ServiceError, TRY_LATER } from '../../shared/client/errors';
import { withTimeLimit } from '../../shared/client/timeLimit';
import { asText } from '../../shared/values/json';
import type { FileToDownload } from '../resources/operation';

type Context = Pick<IExecuteFunctions, 'getExecutionCancelSignal' | 'helpers'>;

type BinaryInput = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];

/** The body of a response while it arrives. */
type Stream = Exclude<BinaryInput, Uint8Array>;

/** The extensions of the usual types. For any other type, the URL tells the extension. */
const EXTENSIONS: Record<string, string> = {
	'audio/flac': '.flac',
	'audio/mp3': '.mp3',
	'audio/mp4': '.m4a',
	'audio/mpeg': '.mp3',
	'audio/ogg': '.ogg',
	'audio/wav': '.wav',
	'audio/webm': '.webm',
	'audio/x-wav': '.wav',
};

/** A host that does not know the type of a file says this. */
const UNKNOWN_TYPE = /^(application|binary)\/octet-stream$/;

/** Types of messages, and not of recordings. */
const NO_FILE = /^(text\/|application\/(json|xml|xhtml|problem))/;

/** The types that a message shows. Any other text of the host could be long, or a secret. */
const SHOWN_TYPE = /^(text\/(html|plain|xml)|application\/(json|xml|xhtml\+xml|problem\+json))$/;

/** What a host answers while a recording is on its way to it: the status, or the code of the error. */
const NOT_THERE_YET = /^(403|404|408|425|429|5\d\d|ECONNRESET|EPIPE)$/;

/** The waits before a recording that is not there yet is requested again: each is twice the one before. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 16_000;

/** Why a request got no response, by the code of the error. */
const REASONS: Array<[code: RegExp, reason: string]> = [
	[/^ERR_FR_TOO_MANY_REDIRECTS$/, 'its host redirects without end'],
	[/^ERR_FR_REDIRECTION_FAILURE$/, 'its host redirected to an address that cannot be used'],
	[/^HPE_/, 'its host sent an answer that cannot be read'],
	[/^(ECONNRESET|EPIPE)$/, 'its host closed the connection'],
	[/^EPROTO$|CERT|SELF_SIGNED|LEAF_SIGNATURE/, 'its host could not be reached safely'],
	[/^E[A-Z_]+$/, 'its host could not be reached'],
];

const NOT_DOWNLOADED = 'The recording could not be downloaded';

const failed = (reason: string, nextStep: string, httpCode?: string) =>
	new ServiceError({
		message: `${NOT_DOWNLOADED}: ${reason}`,
		nextStep,
		httpCode,
	});

const tooLarge = (maxBytes: number) =>
	failed(
		`it is larger than ${maxBytes / 1_000_000} MB`,
		"Raise 'Max File Size (MB)' under Options, or leave this call out.",
	);

const tooSlow = (timeLimitMs: number) =>
	failed(
		`it was not complete after ${timeLimitMs / 1000} seconds`,
		"Raise 'Time Limit (Seconds)' under Options, or try again later.",
	);

const notReady = ({ message, httpCode }: ServiceError) =>
	new ServiceError({
		message: message.replace(NOT_DOWNLOADED, 'The recording is not ready yet'),
		nextStep:
			'Try again some minutes after the end of the call, or put a Wait node before this one. If the call ended earlier, the recording may be deleted, or its address may have expired.',
		httpCode,
	});

/** An address can hold a secret, so no message shows it. */
function checkUrl(url: string): void {
	const { protocol, username, password } = URL.canParse(url)
		? new URL(url)
		: { protocol: '', username: '', password: '' };
	const isWebAddress = protocol === 'https:' || protocol === 'http:';
	if (isWebAddress && username === '' && password === '') return;
	throw failed(
		isWebAddress
			? 'its address contains a user name or a password'
			: 'its address does not start with https:// or http://',
		'The service gave this address for the call. Ask your provider about it.',
	);
}

/** The failure of a request that got no response. n8n would replace a message with a code in it. */
function connectionFailure(error: unknown): ServiceError {
	const { code = '', isBlocked } = getCause(error);
	const [, reason = 'the request for it failed'] =
		REASONS.find(([pattern]) => pattern.test(code)) ?? [];
	if (!isBlocked) return failed(reason, TRY_LATER, code || undefined);
	return failed(
		'this n8n does not allow requests to its host',
		'Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
	);
}

/** Refuses a response that is no file. @returns its type, in lower case and without parameters */
function checkResponse({ statusCode, headers }: IN8nHttpFullResponse, maxBytes: number): string {
	const type = asText(headers['content-type']).split(';')[0]?.trim().toLowerCase() ?? '';
	if (statusCode < 200 || statusCode >= 300) {
		throw failed(
			`its host answered with status ${statusCode}`,
			'The recording may be deleted, or its address may have expired. Try again, or ask your provider.',
			String(statusCode),
		);
	}
	if (NO_FILE.test(type)) {
		const shownType = SHOWN_TYPE.test(type) ? ` (${type})` : '';
		throw failed(`its host sent a page or text${shownType} instead of a file`, TRY_LATER);
	}
	if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
	return type;
}

/** The name and the type under which n8n keeps a file. */
function nameAndType({ url, name }: FileToDownload, type: string): [name: string, type?: string] {
	const known = UNKNOWN_TYPE.test(type) ? '' : type;
	const extension = EXTENSIONS[known] ?? /\.\w{2,4}$/.exec(new URL(url).pathname)?.[0] ?? '';
	// n8n finds a missing type by the extension, but takes a file without both for text.
	const fallback = extension ? undefined : 'application/octet-stream';
	return [name + extension.toLowerCase(), known || fallback];
}

/**
 * Hands a response to n8n, piece by piece. The size is checked while it arrives.
 *
 * @throws {ServiceError} when the response breaks off, is too large or empty; and what n8n throws when it
 * cannot store the file
 */
async function store(
	context: Context,
	body: Stream,
	type: string,
	file: FileToDownload,
): Promise<INodeExecutionData['binary']> {
	let bytes = 0;
	let failure: ServiceError | undefined;
	body.once('error', () => {
		failure ??= failed('the connection to its host broke off', TRY_LATER);
	});
	const counted = body.map((piece: Uint8Array) => {
		bytes += piece.length;
		if (bytes <= file.maxBytes) return piece;
		failure = tooLarge(file.maxBytes);
		throw failure;
	});
	const data = await context.helpers
		.prepareBinaryData(counted, ...nameAndType(file, type))
		.catch((error: unknown) => {
			throw failure ?? error;
		});
	if (bytes === 0) throw failed('it is empty', TRY_LATER);
	return { [file.outputField]: data };
}

/**
 * Requests a file once.
 *
 * @returns the body, which is still to come, and its type
 * @throws {ServiceError} when no file comes
 */
async function request(
	context: Context,
	{ url, maxBytes }: FileToDownload,
	options: Partial<IHttpRequestOptions>,
): Promise<{ body: Stream; type: string }> {
	const sent = context.helpers.httpRequest({
		...options,
		method: 'GET',
		url,
		headers: { Accept: 'audio/*, */*;q=0.5' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	const response = (await sent.catch((error: unknown) => {
		throw connectionFailure(error);
	})) as IN8nHttpFullResponse;
	const body = response.body as Stream;
	let isFile = false;
	try {
		const type = checkResponse(response, maxBytes);
		isFile = true;
		return { body, type };
	} finally {
		if (!isFile) body.destroy();
	}
}

/**
 * Requests a file until it is there, as long as it is expected and the time limit allows.
 *
 * @param wait waits before the next request
 * @returns see {@link request}
 * @throws {ServiceError} when no file comes, and what `wait` throws
 */
async function requestUntilThere(
	context: Context,
	file: FileToDownload,
	options: Partial<IHttpRequestOptions>,
	wait: (ms: number) => Promise<void>,
): Promise<{ body: Stream; type: string }> {
	const now = Date.now();
	const isExpected = file.expectedUntil > now;
	const lastRequestAt = Math.min(file.expectedUntil, now + file.timeLimitMs);
	for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
		const response = await request(context, file, options).catch((error: unknown) => {
			const isLate = error instanceof ServiceError && NOT_THERE_YET.test(error.httpCode ?? '');
			if (!isExpected || !isLate) throw error;
			if (Date.now() + waitMs >= lastRequestAt) throw notReady(error);
			return undefined;
		});
		if (response) return response;
		await wait(waitMs);
	}
}

/**
 * Downloads a file. The request is sent without the credential, and so are the requests of redirects,
 * so the token stays with the service. n8n's SSRF protection and proxy apply. Only the request is repeated,
 * while the file is not there yet: nothing is stored before.
 *
 * @param options of the requests of the run
 * @param wait waits before a file is requested again
 * @returns the binary data of an item, stored as n8n is set
 * @throws {ServiceError} when the address is refused, the download fails, or a limit is exceeded
 */
export async function download(
	context: Context,
	file: FileToDownload,
	{ proxy, skipSslCertificateValidation }: Partial<IHttpRequestOptions>,
	wait: (ms: number) => Promise<void>,
): Promise<INodeExecutionData['binary']> {
	checkUrl(file.url);
	const canceled = context.getExecutionCancelSignal();
	return await withTimeLimit(file.timeLimitMs, canceled, async (abortSignal) => {
		const options = { proxy, skipSslCertificateValidation, timeout: file.timeLimitMs, abortSignal };
		const requested = requestUntilThere(context, file, options, wait);
		const downloaded = requested.then(async ({ body, type }) => {
			try {
				return await store(context, body, type, file);
			} finally {
				body.destroy();
			}
		});
		return await downloaded.catch((error: unknown) => {
			if (canceled?.aborted) throw failed('the execution was canceled', 'Try again.');
			throw abortSignal.aborted ? tooSlow(file.timeLimitMs) : error;
		});
	});
}
