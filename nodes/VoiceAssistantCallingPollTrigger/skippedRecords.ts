import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/client/json';
import { serviceText } from '../shared/client/serviceText';

/** The records that a poll skips, because a cursor cannot compare them. */
export class SkippedRecords {
	private count = 0;

	private first?: IDataObject;

	add(record: IDataObject): void {
		this.count++;
		this.first ??= record;
	}

	/** What to tell the user; undefined when no record was skipped. */
	get warning(): string | undefined {
		if (!this.first) return undefined;
		const id = serviceText(asText(this.first.id));
		const what = id === '' ? 'id' : `created_at that can be read (ID ${id})`;
		return `Records that were skipped in the list of calls: ${this.count}. The first one has no ${what}. Ask your provider.`;
	}
}
