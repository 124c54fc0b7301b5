import { DuplicateLead, RecordNotFound, type Response } from '../base/apiError.mts';
import type { RecordKind } from '../contract/assumptionFormat.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import { providerPage, type Page } from './page.mts';
import { providerRecord } from './record.mts';
import { isFields, type Fields } from './values.mts';

/** What the `data` of an operation holds: one record, or those of a page. */
const RECORDS: { [operationId: string]: RecordKind } = {
	createLead: 'lead',
	updateCampaignStatus: 'campaign',
	createAssistant: 'assistant',
	updateAssistant: 'assistant',
	listAssistants: 'assistant',
	createTool: 'tool',
	updateTool: 'tool',
	listCalls: 'call',
	sendSms: 'sms',
};

/** Operations that change something, and for whose success the contract names no status. */
const WITHOUT_STATUS = new Set([
	'updateLead',
	'updateCampaignStatus',
	'enableInboundWebhook',
	'disableInboundWebhook',
	'sendSms',
]);

/** What the service responds with success, as the provider does. */
export function providerResponse(
	operationId: string,
	response: Response,
	assumptions: Assumptions,
): Response {
	const kind = RECORDS[operationId];
	const { body } = response;
	if (isPage(body)) {
		const isBeyond = body.current_page > body.last_page;
		if (isBeyond && assumptions['page-beyond-the-last'] === 'not-found') {
			return { status: 404, body: { message: 'Page not found' } };
		}
		const data = kind ? body.data.map((row) => providerRow(kind, row, assumptions)) : body.data;
		return { ...response, body: providerPage({ ...body, data }, assumptions) };
	}
	const status = WITHOUT_STATUS.has(operationId) ? assumptions['success-status'] : response.status;
	if (status === 204) return { status, body: '' };
	if (!kind || !isFields(body) || !isFields(body['data'])) return { ...response, status };
	const { data, ...others } = body;
	const record = providerRecord(kind, data, assumptions);
	return { ...response, status, body: withRecord(others, kind, record, assumptions) };
}

/** A response with one record (assumption: record-form). */
function withRecord(
	others: Fields,
	kind: RecordKind,
	record: Fields,
	{ 'record-form': form }: Assumptions,
): Fields {
	switch (form) {
		case 'plain':
			return { ...others, data: record };
		case 'list':
			return { ...others, data: [record] };
		case 'named':
			return { ...others, data: { [kind]: record } };
		case 'twice':
			return { ...others, data: { data: record } };
		case 'attributes':
			return { ...others, data: asResource(kind, record) };
		case 'beside':
			return { ...others, [kind]: record };
		case 'bare':
			return record;
	}
}

/** A record of a list (assumption: row-form). */
function providerRow(kind: RecordKind, row: Fields, assumptions: Assumptions): Fields {
	const record = providerRecord(kind, row, assumptions);
	switch (assumptions['row-form']) {
		case 'plain':
			return record;
		case 'named':
			return { [kind]: record };
		case 'attributes':
			return asResource(kind, record);
	}
}

/** A record as JSON:API has it. */
const asResource = (type: RecordKind, { id, ...attributes }: Fields): Fields => ({
	type,
	id,
	attributes,
});

const isPage = (body: unknown): body is Page & { data: Fields[] } =>
	isFields(body) && 'current_page' in body;

/**
 * What the service responds to a request that it refuses, as the provider does.
 *
 * @param error why it is refused
 * @param now in sandbox milliseconds
 */
export function providerRefusal(
	response: Response,
	error: unknown,
	assumptions: Assumptions,
	now: number,
): Response {
	switch (response.status) {
		case 401:
			return { ...response, status: assumptions.unauthenticated };
		case 404:
			return error instanceof RecordNotFound &&
				error.isOfAnother &&
				assumptions['authorization-failures'] === 'forbidden'
				? { status: 403, body: { message: 'This action is unauthorized.' } }
				: response;
		case 422:
			if (error instanceof DuplicateLead) return duplicateLead(error, assumptions);
			return invalid(response, assumptions);
		case 429:
			return tooManyRequests(response, assumptions, now);
		default:
			return response;
	}
}

/** A validation error (assumptions: validation-status, refusal-form). */
function invalid({ body, ...response }: Response, assumptions: Assumptions): Response {
	const status = assumptions['validation-status'];
	if (status !== 200 || !isFields(body)) return { ...response, status, body };
	return { ...response, status, body: refusedWith(body, assumptions['refusal-form']) };
}

/** A refusal with status 200. Only with `success` and `has-error`, it has its errors by field. */
function refusedWith(body: Fields, form: Assumptions['refusal-form']): Fields | Fields[] {
	const [message] = Object.values(body['errors'] ?? {}).flat() as unknown[];
	switch (form) {
		case 'success':
			return { success: false, ...body };
		case 'has-error':
			return { hasError: true, ...body };
		case 'status':
			return { status: false, message, data: [] };
		case 'error-code':
			return { error_code: 1001, error_message: message };
		case 'list':
			return [{ error: message }];
	}
}

const TAKEN = 'The phone number has already been taken.';

/** A lead that the campaign has already (assumption: lead-duplicate-refusal). */
function duplicateLead({ errors, response }: DuplicateLead, assumptions: Assumptions): Response {
	const { 'lead-duplicate-refusal': form } = assumptions;
	if (form === 'fields') return invalid(response, assumptions);
	if (form === 'taken') {
		const taken = Object.keys(errors ?? {}).map((field): [string, string[]] => [field, [TAKEN]]);
		const body = { message: 'Validation failed', errors: Object.fromEntries(taken) };
		return invalid({ ...response, body }, assumptions);
	}
	const [message] = Object.values(errors ?? {}).flat();
	return { status: form === 'conflict' ? 409 : 200, body: { message } };
}

/** A 429 of the rate limit (assumption: retry-after). */
function tooManyRequests(
	response: Response,
	{ 'retry-after': form }: Assumptions,
	now: number,
): Response {
	if (form === 'seconds' || !isFields(response.body)) return response;
	const { retry_after: seconds, ...body } = response.body;
	if (form === 'milliseconds') {
		return { status: response.status, body: { ...body, retry_after: Number(seconds) * 1000 } };
	}
	const time = new Date(now + Number(seconds) * 1000);
	return {
		status: response.status,
		body,
		...(form === 'date' && { headers: { 'retry-after': time.toUTCString() } }),
	};
}
