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
	listCampaigns: 'campaign',
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
		const data = kind ? body.data.map((row) => providerRecord(kind, row, assumptions)) : body.data;
		return { ...response, body: providerPage({ ...body, data }, assumptions) };
	}
	const status = WITHOUT_STATUS.has(operationId) ? assumptions['success-status'] : response.status;
	if (status === 204) return { status, body: '' };
	if (!kind || !isFields(body) || !isFields(body['data'])) return { ...response, status };
	const record = providerRecord(kind, body['data'], assumptions);
	return { ...response, status, body: { ...body, data: recordForm(kind, record, assumptions) } };
}

/** What `data` has, where it has one record (assumption: record-form). */
function recordForm(
	kind: RecordKind,
	record: Fields,
	{ 'record-form': form }: Assumptions,
): unknown {
	switch (form) {
		case 'list':
			return [record];
		case 'named':
			return { [kind]: record };
		case 'twice':
			return { data: record };
		case 'plain':
			return record;
	}
}

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

/** A validation error (assumption: validation-status). */
function invalid(
	{ body, ...response }: Response,
	{ 'validation-status': status }: Assumptions,
): Response {
	const says = status === 200 && isFields(body) ? { success: false, ...body } : body;
	return { ...response, status, body: says };
}

/** A lead that the campaign has already (assumption: lead-duplicate-refusal). */
function duplicateLead({ errors, response }: DuplicateLead, assumptions: Assumptions): Response {
	const { 'lead-duplicate-refusal': form } = assumptions;
	if (form === 'fields') return invalid(response, assumptions);
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
