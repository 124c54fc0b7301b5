import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { getCause } from '../../shared/client/connection';
import { ServiceError, TRY_LATER } from '../../shared/client/errors';
import { REQUEST_DEFAULTS } from '../../shared/client/request';
import { withTimeLimit } from '../../shared/client/timeLimit';
import { asText } from '../../shared/values/json';
import { isPrivate } from '../../shared/webhook/reachability';
import type { FileToDownload } from '../resources/operation';

type Context = Pick<IExecuteFunctions, 'getExecutionCancelSignal' | 'helpers'>;

type BinaryInput = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];

/** A file that begins to arrive. */
interface OpenFile {
	body: Exclude<BinaryInput, Uint8Array>;
	/** In lower case and without parameters; empty when its host does not know it. */
	type: string;
}

/** Types of messages, and not of recordings. */
const NO_FILE = /^(text\/|application\/(json|xml|xhtml|problem))/;

/** The subtypes of audio whose extension has another name. */
const EXTENSIONS: Record<string, string> = { mp4: 'm4a', mpeg: 'mp3' };

/** What a host answers while a recording is on its way to it: the status, or the code of the error. */
const NOT_THERE_YET = /^(403|404|408|425|429|5\d\d|ECONNRESET|EPIPE)$/;

/** The waits before a recording that is not there yet is requested again: each is twice the one before. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 16_000;

/** The statuses that name an address to go to (RFC 9110, 15.4). */
const REDIRECTS = [301, 302, 303, 307, 308];

const MAX_REDIRECTS = 5;

const failed = (reason: string, nextStep: string, httpCode?: string) =>
	new ServiceError({
		message: `The recording could not be downloaded: ${reason}`,
		nextStep,
		httpCode,
	});

const tooLarge = (maxBytes: number) =>
	failed(
		`it is larger than ${maxBytes / 1_000_000} MB`,
		"Raise 'Max File Size (MB)' under Options, or leave this call out.",
	);

/** Refuses what is no web address. One can hold a secret, so no message shows it. */
function checkAddress(url: string, what: string): void {
	const { protocol, username, password } = URL.canParse(url)
		? new URL(url)
		: { protocol: '', username: '', password: '' };
	if (/^https?:$/.test(protocol) && username === '' && password === '') return;
	throw failed(
		`${what} does not start with https:// or http://, or has a user name or a password in it`,
		'The address comes from your provider. Ask there about it.',
	);
}

/**
 * Where a redirect leads.
 *
 * @throws {ServiceError} when no request may go there. The host of a recording must not choose what n8n requests in
 * its own network
 */
function redirectTarget(location: string, from: string, baseUrl: string): string {
	const target = URL.canParse(location, from) ? new URL(location, from).href : '';
	checkAddress(target, 'the address to which its host redirected');
	if (!isPrivate(target) || isPrivate(baseUrl)) return target;
	throw failed(
		`its host redirected to a private address (${new URL(target).hostname}), where the node did not go`,
		'Ask your provider for a public address. A redirect to a private one is followed only if the Base URL of the credential has a private address too.',
	);
}

/** The failure of a request that got no response. n8n would replace a message with a code in it. */
function noResponse(error: unknown): ServiceError {
	const { code, isBlocked } = getCause(error);
	if (!isBlocked) {
		return failed('its host could not be reached, or closed the connection', TRY_LATER, code);
	}
	return failed(
		'this n8n does not allow requests to its host',
		'Ask the administrator of this n8n to allow the host. n8n calls this SSRF protection.',
	);
}

/** Refuses a response that is no file. @returns its type, see {@link OpenFile} */
function checkResponse({ statusCode, headers }: IN8nHttpFullResponse, maxBytes: number): string {
	const type = asText(headers['content-type']).split(';')[0]?.trim().toLowerCase() ?? '';
	if (statusCode < 200 || statusCode >= 300) {
		throw failed(
			`its host answered with status ${statusCode}`,
			'The recording may not be ready yet: try again some minutes after the end of the call, or put a Wait node before this one. If it is deleted or its address has expired, ask your provider.',
			String(statusCode),
		);
	}
	if (NO_FILE.test(type)) throw failed('its host sent a page or text instead of a file', TRY_LATER);
	if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
	return type.replace(/^(application|binary)\/octet-stream$/, '');
}

/**
 * Requests a file once, and follows redirects. n8n itself would follow them to any address.
 *
 * @param url of the file, or where a redirect leads
 * @throws {ServiceError} when no file comes
 */
async function openFile(
	context: Context,
	file: FileToDownload,
	options: Partial<IHttpRequestOptions>,
	url = file.url,
	redirects = 0,
): Promise<OpenFile> {
	const headers = { Accept: 'audio/*, */*;q=0.5' };
	const request = { ...options, ...REQUEST_DEFAULTS, method: 'GET', url, headers } as const;
	const response = (await context.helpers.httpRequest(request).catch((error: unknown) => {
		throw noResponse(error);
	})) as IN8nHttpFullResponse;
	const body = response.body as OpenFile['body'];
	const location = asText(response.headers.location);
	let target = '';
	let opened: OpenFile | undefined;
	try {
		if (REDIRECTS.includes(response.statusCode) && location !== '') {
			if (redirects === MAX_REDIRECTS) throw failed('its host redirects too often', TRY_LATER);
			target = redirectTarget(location, url, file.baseUrl);
		} else {
			opened = { body, type: checkResponse(response, file.maxBytes) };
		}
	} finally {
		if (!opened) body.destroy();
	}
	return opened ?? (await openFile(context, file, options, target, redirects + 1));
}

/** Requests a file until it is there, while it may come late and the time limit allows. */
async function openWhenThere(
	context: Context,
	file: FileToDownload,
	options: Partial<IHttpRequestOptions>,
	wait: (ms: number) => Promise<void>,
): Promise<OpenFile> {
	const endsAt = Date.now() + file.timeLimitMs;
	for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
		const opened = await openFile(context, file, options).catch((error: unknown) => {
			const isLate = error instanceof ServiceError && NOT_THERE_YET.test(error.httpCode ?? '');
			if (!isLate || !file.mayComeLate || Date.now() + waitMs >= endsAt) throw error;
		});
		if (opened) return opened;
		await wait(waitMs);
	}
}

/** The name and the type under which n8n keeps a file. Without a type, n8n finds it by the extension. */
function nameAndType({ url, name }: FileToDownload, type: string): [name: string, type?: string] {
	const [, subtype = ''] = /^audio\/(?:x-)?(\w{3,4})$/.exec(type) ?? [];
	const [, inUrl = ''] = /\.(\w{2,4})$/.exec(new URL(url).pathname) ?? [];
	const extension = (EXTENSIONS[subtype] ?? subtype) || inUrl.toLowerCase();
	// n8n takes a file without both for text.
	if (!extension) return [name, type || 'application/octet-stream'];
	return [`${name}.${extension}`, type || undefined];
}

/** Hands a file to n8n, piece by piece. The size is checked while it arrives. */
async function store(
	context: Context,
	{ body, type }: OpenFile,
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
		})
		.finally(() => body.destroy());
	if (bytes === 0) throw failed('it is empty', TRY_LATER);
	return { [file.outputField]: data };
}

/**
 * Downloads a file. No request has the credential, so the token stays with the service. Only the request is
 * repeated, while the file is not there yet: nothing is stored before.
 *
 * @param options of the requests of the run
 * @param wait waits before a file is requested again
 * @returns the binary data of an item, stored as n8n is set
 * @throws {ServiceError} when the address is refused, the download fails, or a limit is exceeded; and what
 * n8n throws when it cannot store the file
 */
export async function download(
	context: Context,
	file: FileToDownload,
	{ proxy, skipSslCertificateValidation }: Partial<IHttpRequestOptions>,
	wait: (ms: number) => Promise<void>,
): Promise<INodeExecutionData['binary']> {
	checkAddress(file.url, 'its address');
	const { timeLimitMs: timeout } = file;
	return await withTimeLimit(timeout, context.getExecutionCancelSignal(), async (abortSignal) => {
		const options = { proxy, skipSslCertificateValidation, timeout, abortSignal };
		const opened = openWhenThere(context, file, options, wait);
		const stored = opened.then(async (open) => await store(context, open, file));
		return await stored.catch((error: unknown) => {
			if (!abortSignal.aborted) throw error;
			throw failed(
				`it was not complete after ${timeout / 1000} seconds`,
				"Raise 'Time Limit (Seconds)' under Options, or try again later.",
			);
		});
	});
}
