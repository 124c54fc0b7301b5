import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';

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
