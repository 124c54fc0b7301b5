import type { IDataObject } from 'n8n-workflow';

import { MAY_BE_LONGER } from '../../shared/client/pages';
import { isOn } from '../../shared/fields/booleans';
import type { BuiltItem } from './builtItem';
import { listRecords } from './listRecords';
import type { RequestSender } from './requestSender';

/** Reads the lists of a run. */
export class ListReader {
	/** What n8n's log says of the lists that were read. */
	readonly warnings = new Set<string>();

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
		const { isListed, getKey } = operation;
		const readEnvelope = async (page: number, perPage: number) => {
			const asked = { ...request, qs: { ...request.qs, page, per_page: perPage } };
			// The item may not need a page that failed.
			return await this.requests.send(item, asked, false);
		};
		const limit = isOn(values.returnAll) ? Infinity : Number(values.limit);
		const onDoubt = () => void this.warnings.add(MAY_BE_LONGER);
		const args = [toOutput, isListed, getKey, onDoubt] as const;
		return await listRecords(readEnvelope, limit, this.concurrency, ...args);
	}
}
