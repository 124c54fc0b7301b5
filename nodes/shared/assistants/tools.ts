import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';

/**
 * The records of an assistant's tools (contract: Assistant record).
 *
 * @returns undefined when the service does not show them
 */
export const toolsOf = ({ tools }: IDataObject): IDataObject[] | undefined =>
	Array.isArray(tools) && (tools as unknown[]).every(isRecord)
		? (tools as IDataObject[])
		: undefined;
