import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { checkedBaseUrl } from '../../shared/baseUrl';
import { exchange } from '../../shared/exchange';
import { asText, isRecord } from '../../shared/json';
import { ServiceProblem } from '../../shared/serviceProblem';
import { checkedListPath, CREDENTIAL } from '../../shared/serviceRequest';
import { fieldsOf } from '../resources';
import { cancellableSleep, throwIfCanceled } from './cancellableSleep';
import { checkFields, picked, type ReadField } from './checkFields';
import { readRows } from './readRows';
import type { Run } from './run';

/** A request as n8n prepared it from the routing of the fields. */
export type PreparedRequest = DeclarativeRestApiSettings.ResultOptions;

/** Replaces `{name}` in the address of an operation by the field of that name, which was checked. */
async function addressOf(
	context: IExecutePaginationFunctions,
	template: string,
	read: ReadField,
): Promise<string> {
	if (template === '{assistantListPath}') {
		return checkedListPath((await context.getCredentials(CREDENTIAL)).assistantListPath);
	}
	return template.replace(/\{(\w+)\}/g, (_, name: string) => asText(picked(read(name))));
}

/** n8n chooses the request by the fixed values of the two; an expression would choose none. */
const noOperation = () =>
	new ServiceProblem({
		message: "'Resource' and 'Operation' name no operation of this node",
		description:
			'Choose both from their lists, without an expression. Nothing was sent for this item.',
	});

/** An update of nothing is a mistake; n8n sends it without a body, and the answer is a riddle then. */
const nothingToChange = () =>
	new ServiceProblem({
		message: 'There is nothing to change, because no field has a value',
		description: 'Add at least one field and fill it in. Nothing was sent for this item.',
	});

/**
 * Sends one item: checks its fields, then sends its request, or the requests of its pages.
 *
 * @returns the records that came back, paired with the item
 * @throws {ServiceProblem} in words, also when the execution was canceled
 */
export async function sendItem(
	context: IExecutePaginationFunctions,
	prepared: PreparedRequest,
	run: Run,
): Promise<INodeExecutionData[]> {
	const signal = context.getExecutionCancelSignal();
	const read: ReadField = (name) => context.getNodeParameter(name, '');
	const fields = fieldsOf(asText(read('resource')), asText(read('operation')));
	checkFields(fields, read);

	const { method, baseURL: entered, url: template = '', qs, body } = prepared.options;
	if (template === '') throw noOperation();
	if (method === 'PUT' && JSON.stringify(body) === '{}') throw nothingToChange();
	const baseURL = checkedBaseUrl(entered);
	const url = await addressOf(context, template, read);

	const sendPage = async (page: IDataObject) => {
		// Again, because the service may have asked for a longer pause meanwhile.
		while (run.pauseLeft > 0) await cancellableSleep(run.pauseLeft, signal);
		throwIfCanceled(signal);
		const [answer] = await context.makeRoutingRequest({
			...prepared,
			options: { ...prepared.options, baseURL, url, qs: { ...qs, ...page } },
		});
		const { statusCode, headers, body } = answer?.json ?? {};
		return { statusCode: Number(statusCode), headers: isRecord(headers) ? headers : {}, body };
	};
	const send = async (page: IDataObject = {}) =>
		await exchange({
			isRead: method === 'GET',
			send: async () => await sendPage(page),
			pause: async (ms, forAll) => {
				if (forAll) run.pauseFor(ms);
				else await cancellableSleep(ms, signal);
			},
		});

	const toItem = (json: IDataObject) => ({ json, pairedItem: { item: context.getItemIndex() } });
	if (fields.some(({ name }) => name === 'returnAll')) {
		const limit = read('returnAll') === true ? Infinity : Number(read('limit'));
		const rows = await readRows((page, perPage) => send({ page, per_page: perPage }), limit);
		return rows.map(toItem);
	}
	const { message, data } = await send();
	return [toItem(isRecord(data) && Object.keys(data).length > 0 ? data : { message })];
}
