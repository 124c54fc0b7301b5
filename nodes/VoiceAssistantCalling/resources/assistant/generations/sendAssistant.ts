import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isDeleted } from '../../../../shared/assistants/find';
import { ServiceError } from '../../../../shared/client/errors';
import { MAX_PER_PAGE } from '../../../../shared/client/pages';
import { RecordList } from '../../../../shared/client/recordList';
import { getLabel } from '../../../fields/fieldLabels';
import { getBody } from '../../../fields/routing';
import type { ItemExchange, SendItem } from '../../operation';
import { oneAssistant, parseList } from '../oneAssistant';
import { checkLimits } from './checkLimits';
import { generationIn, generations, type Generation } from './generation';
import { formName, namesThatDiffer, NEWER_ONLY } from './newerNames';
import { notShown } from './notShown';
import { toNewerBody } from './toNewerBody';

const HOUR_MS = 60 * 60 * 1_000;

/** A list of the account's assistants, which is read until a record comes. */
const assistantList = ({ read, endpoint }: ItemExchange) =>
	new RecordList(
		async (page) =>
			await read(endpoint.assistantListPath, { page, per_page: MAX_PER_PAGE }, parseList),
		1,
	);

const idOf = ({ url }: IHttpRequestOptions) => url.split('/').at(-1) ?? '';

/** The fields because of which an item cannot be sent before the generation is known. */
const unclearNames = (entered: IDataObject, isUpdate: boolean): string[] =>
	namesThatDiffer(entered).filter(
		(name) => isUpdate || NEWER_ONLY.includes(name) || entered[name] === 'dualplex',
	);

/** Learns the generation from the refusal of a create without fields. It changes nothing. */
async function learn({ accountKey, share, ask }: ItemExchange): Promise<void> {
	if (generations.get(accountKey) !== undefined) return;
	// Another hour asks again: what is remembered lasts no longer.
	await share(`generation ${Math.floor(Date.now() / HOUR_MS)}`, async () => {
		const request = { method: 'POST', url: '/user/assistant', body: '{}' } as const;
		return await ask(request, async (response) => {
			const told = await response.then(
				() => 'untold' as const,
				(error: unknown) => {
					const generation = generationIn(error, {});
					if (generation === undefined) throw error;
					return generation;
				},
			);
			generations.set(accountKey, told);
			return {};
		});
	});
}

/** Why an item is not sent before the generation is known. @param error of the request that should tell it */
function notLearned(error: unknown, names: string[], { fields }: ItemExchange): unknown {
	if (error !== undefined && !(error instanceof ServiceError)) return error;
	const labels = names.map((name) => `'${getLabel(fields, name)}'`).join(', ');
	const reason = error ? `: ${error.message.replace(/; the request may have.*$/, '')}` : '';
	const advice = error?.outcomeUnknown === false ? error.nextStep : 'Try again later.';
	return new ServiceError({
		message: `Nothing was sent, because it is not known which names this provider uses for ${labels}${reason}`,
		nextStep: `${advice} Without these fields, the item can be sent.`,
		httpCode: error?.httpCode,
	});
}

/** A refusal that names newer fields, with the names that the screen has labels for. */
function withFormNames(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const errors = Object.entries(error.errors).map(([path, texts]) => [
		formName(path) ?? path,
		texts,
	]);
	const { message } = error;
	return new ServiceError({
		...error,
		message,
		errors: Object.fromEntries(errors) as typeof error.errors,
	});
}

/** Says after the run which values of an update the list of assistants does not show. */
function checkAfterRun(
	exchange: ItemExchange,
	request: IHttpRequestOptions,
	sent: IDataObject,
): void {
	const { accountKey, fields, share, afterRun } = exchange;
	const id = idOf(request);
	afterRun(async () => {
		const list = await share(
			'after the run',
			async () => await Promise.resolve(assistantList(exchange)),
		);
		const record = await list.find(id);
		const names = record ? notShown(getBody(request), sent, record) : [];
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
	const isNewer = generation === 'newer';
	if (generations.get(accountKey) === generation) checkLimits(generation, entered, fields, isLast);
	/** The assistant of an update as it is now: an earlier item may have changed it. */
	const readRecord = async () => {
		const record = await assistantList(exchange).find(idOf(request));
		if (record && !isDeleted(record)) return record;
		const { notFound: message, nextStep } = oneAssistant;
		throw new ServiceError({ message, nextStep, httpCode: '404' });
	};
	const isUpdate = request.method === 'PUT';
	const body = isNewer
		? await toNewerBody(entered, exchange, isUpdate ? readRecord : undefined)
		: entered;
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
	// The whole request was refused, so nothing is done twice.
	if (other !== undefined) return await sendAs(other, request, exchange, true);
	if (isUpdate) checkAfterRun(exchange, request, body);
	return answer;
}

/**
 * Creates or updates an assistant in the names of the account's generation, which refusals alone tell. A request
 * never has the names of both.
 *
 * @throws {DescribedError} when the request failed, or must not be sent
 */
export const sendAssistant: SendItem = async (request, exchange) => {
	const { accountKey, share } = exchange;
	const isUpdate = request.method === 'PUT';
	const unclear = unclearNames(getBody(request), isUpdate);
	if (isUpdate && unclear.length === 0) return await exchange.send(request);
	// The newer service may ignore older names of an update, and answer 200 (public-service: PUT assistant).
	if (unclear.length > 0) {
		await learn(exchange).catch((error: unknown) => {
			throw notLearned(error, unclear, exchange);
		});
		const known = generations.get(accountKey);
		if (known === 'older' || known === 'newer') return await sendAs(known, request, exchange);
		throw notLearned(undefined, unclear, exchange);
	}
	/** A create in the names of the other generation is refused. */
	const create = async () => {
		const known = generations.get(accountKey) === 'newer' ? 'newer' : 'older';
		return await sendAs(known, request, exchange);
	};
	let isFirst = false;
	const first = share('first create', async () => {
		isFirst = true;
		return await create();
	});
	// Of items at the same time, one learns it.
	return isFirst ? await first : await first.then(create, create);
};
