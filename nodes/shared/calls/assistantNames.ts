import type { IDataObject } from 'n8n-workflow';

import { asText } from '../values/json';

/** The list of assistants cannot be read. @param why all texts of the failure */
export const notCompared = (why: string): string =>
	`The names in the calls were not compared with those of the assistants, because the list of assistants cannot be read. ${why}`;

/** Names do not tell of which assistant calls are. */
export const NAMES_UNDECIDED =
	'Some calls may be of another assistant: the service tells the assistant of a call by its name only, and none of your assistants has this name now, or several have it. Give each assistant a name of its own.';

/** The names that the assistants of an account have now. A call names its assistant by name (contract: Call record). */
export class AssistantNames {
	private readonly ids = new Map<string, string[]>();

	/** @param assistants all records of the list that are not deleted (contract: Assistant record) */
	constructor(assistants: IDataObject[]) {
		for (const assistant of assistants) {
			const name = asText(assistant.name).trim();
			const ids = this.ids.get(name) ?? [];
			ids.push(asText(assistant.id));
			this.ids.set(name, ids);
		}
	}

	/** The IDs of the assistants of a name. */
	idsOf(name: string): string[] {
		return this.ids.get(name.trim()) ?? [];
	}

	/** Whether a name is that of an assistant; undefined when nobody has it, or the assistant and others. */
	isOf(name: string, id: string): boolean | undefined {
		const ids = this.idsOf(name);
		if (ids.length === 0) return undefined;
		if (!ids.includes(id)) return false;
		return ids.length === 1 || undefined;
	}
}
