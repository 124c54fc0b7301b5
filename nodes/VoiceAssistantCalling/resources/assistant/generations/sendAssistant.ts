import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isDeleted, LIST_PATH_ADVICE } from '../../../../shared/assistants/find';
import { ServiceError } from '../../../../shared/client/errors';
import { MAX_PER_PAGE, MAX_RECORDS, rowsIn } from '../../../../shared/client/pages';
import { RecordList } from '../../../../shared/client/recordList';
import { getLocatorValue } from '../../../../shared/fields/values';
import { asText } from '../../../../shared/values/json';
import { getLabel } from '../../../fields/fieldLabels';
import { getBody } from '../../../fields/routing';
import type { ItemExchange, SendItem } from '../../operation';
import { builtInToolsOf, withEndCall } from './builtInTools';
import { checkLimits } from './checkLimits';
import { generationIn, generations, type Generation } from './generation';
import { findIdByName } from './nameLookup';
import { formName, namesThatDiffer, NEWER_ONLY, renamed } from './newerNames';
import { notShown } from './notShown';

const CREATE = { method: 'POST', url: '/user/assistant' } as const;

const HOUR_MS = 60 * 60 * 1_000;

/** A list of the account's assistants, which is read until a record comes. */
const assistantList = ({ read, endpoint }: ItemExchange) =>
	new RecordList(
		async (page) => await read(endpoint.assistantListPath, { page, per_page: MAX_PER_PAGE }),
		MAX_RECORDS / MAX_PER_PAGE,
		1,
	);

/** The ID of the assistant that an update changes. */
const idOf = ({ values }: ItemExchange) => asText(getLocatorValue(values.assistantId));

/** The assistant of an update as it is now: earlier items may have changed it. */
async function currentRecord(exchange: ItemExchange): Promise<IDataObject> {
	const record = await assistantList(exchange)
		.find(idOf(exchange))
		.catch((error: unknown) => {
			throw isMissing(error) ? withAdvice(error, LIST_PATH_ADVICE) : error;
		});
	if (record && !isDeleted(record)) return record;
	throw new ServiceError({
		message: 'Assistant not found',
		nextStep: 'Check the ID. It does not exist in the account that the API token belongs to.',
		httpCode: '404',
	});
}

const isMissing = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && ['404', '405'].includes(error.httpCode ?? '');

const withAdvice = ({ message, httpCode }: ServiceError, nextStep: string) =>
	new ServiceError({ message, nextStep, httpCode });

/**
 * Finds the ID of a language or a model by its name, in a list that the items of an account share.
 *
 * @throws {DescribedError} when the provider does not have the list, or not this name
 */
async function lookUp(
	{ share, read, fields }: ItemExchange,
	path: string,
	name: unknown,
	property: string,
	qs: IDataObject = {},
): Promise<number> {
	const label = getLabel(fields, property);
	const body = await share(JSON.stringify([path, qs]), async () => await read(path, qs)).catch(
		(error: unknown) => {
			if (!isMissing(error)) throw error;
			const nextStep = `This provider takes the ID of '${label}', and the node finds it by its name in this list. Ask your provider for the list, or use 'Custom API Call' with the ID.`;
			const message = `The service has no list at ${path}: ${error.message}`;
			throw new ServiceError({ message, nextStep, httpCode: error.httpCode });
		},
	);
	return findIdByName(rowsIn(body), name, label);
}

/** The body of a request to the newer generation (public-service: Assistant: fields of create and update). */
async function newerBody(
	entered: IDataObject,
	exchange: ItemExchange,
	isUpdate: boolean,
): Promise<IDataObject> {
	const { language, llm_model: model, end_call_tool: endCall, tools, ...others } = entered;
	const { secondary_language_ids: languages, ...body } = renamed(others);
	const getId = async (name: unknown, property: string) =>
		await lookUp(exchange, '/user/assistants/languages', name, property);
	if (language !== undefined) body.language_id = await getId(language, 'language');
	if (Array.isArray(languages)) {
		const ids = languages.map(async (name) => await getId(name, 'secondary_language_ids'));
		body.secondary_language_ids = await Promise.all(ids);
	}
	const needsMode = model !== undefined && body.mode === undefined;
	const needsTools = isUpdate && endCall !== undefined && tools === undefined;
	const record = needsMode || needsTools ? await currentRecord(exchange) : {};
	if (model !== undefined) {
		const mode = asText(body.mode ?? record.mode);
		const type = mode === 'pipeline' ? 'llm' : mode;
		const id = await lookUp(exchange, '/user/assistants/models', model, 'llm_model', { type });
		body[mode === 'pipeline' ? 'llm_model_id' : 'multimodal_model_id'] = id;
	}
	const kept = needsTools ? builtInToolsOf(record) : (tools as IDataObject[] | undefined);
	if (endCall !== undefined) {
		body.tools = withEndCall(kept ?? [], (endCall as IDataObject).description);
	} else if (kept) {
		body.tools = kept;
	}
	return body;
}

/**
 * Learns the generation from the refusal of a create without fields.
 *
 * @throws {ServiceError} that says why nothing was sent, when the refusal does not tell it
 */
async function learn(exchange: ItemExchange): Promise<void> {
	const { accountKey, ask } = exchange;
	if (generations.get(accountKey) === undefined) {
		// Another hour asks again: what is remembered lasts no longer.
		const hour = Math.floor(Date.now() / HOUR_MS);
		await exchange.share(`generation ${hour}`, async () => {
			await ask({ ...CREATE, body: '{}' }, async (response) => {
				const answer = await response.catch((error: unknown) => {
					const told = generationIn(error, {});
					if (told === undefined) throw error;
					return told;
				});
				generations.set(accountKey, typeof answer === 'string' ? answer : 'untold');
				return {};
			});
		});
	}
}

/** The fields because of which an item cannot be sent before the generation is known. */
const onlyIn = (entered: IDataObject, isUpdate: boolean): string[] =>
	namesThatDiffer(entered).filter(
		(name) =>
			isUpdate ||
			NEWER_ONLY.some((each) => each === name) ||
			(name === 'engine_type' && entered.engine_type === 'dualplex'),
	);

/** Why an item is not sent whose names differ, with the reason of the service. */
function notLearned(
	error: unknown,
	entered: IDataObject,
	isUpdate: boolean,
	{ fields }: ItemExchange,
): unknown {
	if (error !== undefined && !(error instanceof ServiceError)) return error;
	const labels = onlyIn(entered, isUpdate).map((name) => `'${getLabel(fields, name)}'`);
	const reason = error ? `: ${error.message.replace(/; the request may have.*$/, '')}` : '';
	const advice = error && !error.outcomeUnknown ? error.nextStep : 'Try again later.';
	return new ServiceError({
		message: `Nothing was sent, because it is not known which names this provider uses for ${labels.join(', ')}${reason}`,
		nextStep: `${advice} Without these fields, the item can be sent.`,
		httpCode: error?.httpCode,
	});
}

/** A refusal that names newer fields, with the names of the form, which the screen has. */
function withFormNames(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const errors = Object.entries(error.errors).map(([path, texts]) => {
		const [name = '', ...inside] = path.split('.');
		return [[formName(name) ?? name, ...inside].join('.'), texts] as const;
	});
	const { message } = error;
	return new ServiceError({ ...error, message, errors: Object.fromEntries(errors) });
}

/** Says after the run which values of an update the list of assistants does not show. */
function checkAfterRun(exchange: ItemExchange, entered: IDataObject, sent: IDataObject): void {
	const { accountKey, fields, share, afterRun } = exchange;
	const id = idOf(exchange);
	afterRun(async () => {
		const list = await share(
			'after the run',
			async () => await Promise.resolve(assistantList(exchange)),
		);
		const record = await list.find(id);
		const names = record ? notShown(entered, sent, record) : [];
		if (names.length === 0) return undefined;
		// The names of the other generation may be ignored.
		generations.delete(accountKey);
		const labels = names.map((name) => `'${getLabel(fields, name)}'`).join(', ');
		return `The service accepted the update of assistant ${id}, but its list of assistants does not show the new value of ${labels}. Check it at your provider, and run the update again if it is not there.`;
	});
}

/** Sends an item in the names of a generation; once more in the others, when a refusal asks for them. */
async function sendAs(
	generation: Generation,
	request: IHttpRequestOptions,
	exchange: ItemExchange,
	isLast = false,
): Promise<IDataObject> {
	const { accountKey, fields } = exchange;
	const entered = getBody(request);
	const isUpdate = request.method === 'PUT';
	if (generations.get(accountKey) === generation) checkLimits(generation, entered, fields);
	const isNewer = generation === 'newer';
	const body = isNewer ? await newerBody(entered, exchange, isUpdate) : entered;
	let other: Generation | undefined;
	const answer = await exchange.send(
		{ ...request, body },
		async (response) =>
			await response.catch((error: unknown) => {
				const told = generationIn(error, body);
				if (told !== undefined) generations.set(accountKey, told);
				if (told === undefined || told === generation || isLast) {
					throw isNewer ? withFormNames(error) : error;
				}
				other = told;
				return {};
			}),
	);
	// The refusal is of all of it, so nothing was carried out.
	if (other !== undefined) return await sendAs(other, request, exchange, true);
	if (isUpdate) checkAfterRun(exchange, entered, body);
	return answer;
}

/**
 * Creates or updates an assistant in the names of the account's generation. It is learned from refusals alone,
 * and a request never has the names of both.
 *
 * @throws {DescribedError} when the request failed, or must not be sent
 */
export const sendAssistant: SendItem = async (request, exchange) => {
	const { accountKey, share } = exchange;
	const entered = getBody(request);
	const isUpdate = request.method === 'PUT';
	const isUnclear = onlyIn(entered, isUpdate).length > 0;
	if (isUpdate && !isUnclear) return await exchange.send(request);
	// The newer service may ignore older names of an update, and answer 200 (public-service: PUT assistant).
	if (isUnclear) {
		await learn(exchange).catch((error: unknown) => {
			throw notLearned(error, entered, isUpdate, exchange);
		});
		const known = generations.get(accountKey);
		if (known === 'older' || known === 'newer') return await sendAs(known, request, exchange);
		throw notLearned(undefined, entered, isUpdate, exchange);
	}
	let isFirst = false;
	const first = share('first create', async () => {
		isFirst = true;
		return await sendAs(present(accountKey), request, exchange);
	});
	if (isFirst) return await first;
	// Of items at the same time, one learns it.
	await first.catch(() => undefined);
	return await sendAs(present(accountKey), request, exchange);
};

/** The generation to begin with: a create in the names of the other one is refused. */
function present(accountKey: string): Generation {
	return generations.get(accountKey) === 'newer' ? 'newer' : 'older';
}
