import type { IDataObject } from 'n8n-workflow';

import { AssistantNames, NAMES_UNDECIDED, notCompared } from '../../shared/calls/assistantNames';
import { DescribedError } from '../../shared/client/errors';
import { MAY_BE_LONGER } from '../../shared/client/pages';
import { isOn } from '../../shared/fields/booleans';
import { recordShapes } from '../../shared/records/recordShapes';
import { recordsIn } from '../../shared/values/json';
import { getAll as listAssistants } from '../resources/assistant/getAll.operation';
import type { BuiltItem } from './builtItem';
import { listRecords } from './listRecords';
import type { RequestSender } from './requestSender';

const FILTERS_IGNORED =
	'The service sent records that the filters leave out. They are not in the items. Ask your provider which filters it applies.';

const { id, name, deleted_at } = recordShapes.assistant;

/** Only the fields that {@link AssistantNames} needs: what others lack is not told. */
const namesOfAssistants = { ...listAssistants, record: { id, name, deleted_at } };

/** Reads the lists of a run, without what was not asked for. */
export class ListReader {
	/** What n8n's log says of the lists that were read. */
	readonly warnings = new Set<string>();

	/** Of the assistants, by account; undefined where the list cannot be read. */
	private readonly names = new Map<string, Promise<AssistantNames | undefined>>();

	private readonly requests: RequestSender;

	private readonly concurrency: number;

	/** @param concurrency the most pages of a list that are requested at the same time */
	constructor(requests: RequestSender, concurrency: number) {
		this.requests = requests;
		this.concurrency = concurrency;
	}

	/**
	 * Reads the records of an item, page by page.
	 *
	 * @param toOutput makes the output from a record
	 * @throws {ServiceError} when there are more than 100,000, or the list cannot be read
	 */
	async read(
		item: BuiltItem,
		toOutput: (record: IDataObject) => IDataObject,
	): Promise<IDataObject[]> {
		const { operation, request, values } = item;
		const { isListed = () => true, isToldByName, getKey } = operation;
		const { qs = {} } = request;
		let names: AssistantNames | undefined;
		const readEnvelope = async (page: number, perPage: number) => {
			const asked = { ...request, qs: { ...qs, page, per_page: perPage } };
			// The item may not need a page that failed.
			const envelope = await this.requests.send(item, asked, false);
			if (isToldByName?.(recordsIn(envelope.data), qs)) names ??= await this.assistantNames(item);
			return envelope;
		};
		const limit = isOn(values.returnAll) ? Infinity : Number(values.limit);
		const isWanted = (record: IDataObject) => {
			const isAsked = isListed(record, qs, names);
			if (isAsked === undefined) this.warnings.add(NAMES_UNDECIDED);
			if (isAsked === false && Object.keys(qs).length > 0) this.warnings.add(FILTERS_IGNORED);
			return isAsked !== false;
		};
		const onDoubt = () => void this.warnings.add(MAY_BE_LONGER);
		const args = [toOutput, isWanted, getKey, onDoubt] as const;
		return await listRecords(readEnvelope, limit, this.concurrency, ...args);
	}

	private async assistantNames(item: BuiltItem): Promise<AssistantNames | undefined> {
		const { key } = item.account;
		const names = this.names.get(key) ?? this.readAssistantNames(item);
		this.names.set(key, names);
		return await names;
	}

	private async readAssistantNames(item: BuiltItem): Promise<AssistantNames | undefined> {
		const { account, request } = item;
		const list = {
			...item,
			operation: namesOfAssistants,
			request: { ...request, url: account.endpoint.assistantListPath, qs: {} },
			values: { returnAll: true },
		};
		return await this.read(list, (assistant) => assistant).then(
			(assistants) => new AssistantNames(assistants),
			(error: unknown) => {
				if (!(error instanceof DescribedError)) throw error;
				this.warnings.add(notCompared(error.text));
				return undefined;
			},
		);
	}
}
