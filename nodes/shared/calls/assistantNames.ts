import type { IDataObject } from 'n8n-workflow';

import { asText } from '../client/json';

/** The names that the assistants of an account have now. A call names its assistant by name (contract: Call record). */
export class AssistantNames {
	private readonly ids = new Map<string, string[]>();

	/** @param assistants all records of the list (contract: Assistant record) */
	constructor(assistants: IDataObject[]) {
		for (const { id, name } of assistants) {
			const key = asText(name).trim();
			this.ids.set(key, [...(this.ids.get(key) ?? []), asText(id)]);
		}
	}

	/** The ID of the only assistant of a name; undefined when none or several have it. */
	idOf(name: string): string | undefined {
		const [id, ...others] = this.ids.get(name.trim()) ?? [];
		return others.length === 0 ? id : undefined;
	}
}
