import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';

/** Whether a record is a tool, and not the assignment of one, which has its ID beside an ID of its own. */
const isTool = (record: unknown): record is IDataObject =>
	isRecord(record) && !isRecord(record.tool) && (record.tool_id ?? record.id) === record.id;

/**
 * The records of an assistant's tools (contract: Assistant record). With other IDs than those of tools, a change
 * would take tools from the assistant.
 *
 * @returns undefined when the service does not show them: no list, or one of something else
 */
export const toolsOf = ({ tools }: IDataObject): IDataObject[] | undefined =>
	Array.isArray(tools) && (tools as unknown[]).every(isTool) ? (tools as IDataObject[]) : undefined;

/**
 * Whether a tool in an assistant's record is a built-in one, which has no ID, and which no `tool_ids` changes
 * (public-service: Built-in tools of an assistant; S1, S2).
 */
export const isBuiltIn = ({ id, type, data }: IDataObject): boolean =>
	(id ?? undefined) === undefined && asText(type) !== '' && data !== undefined;
