import { isDeleted } from '../../../shared/assistants/find';
import { recordShapes } from '../../../shared/records/recordShapes';
import { outputFields } from '../common/output';
import { returnAllOrLimit } from '../common/returnAllOrLimit';
import type { Operation } from '../operation';
import { assistantOutput } from './assistantOutput';
import { listUrl, parseList } from './oneAssistant';

export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many assistants',
	description: 'Retrieve a list of assistants with their settings',
	request: { method: 'GET', url: listUrl },
	parseResponse: parseList,
	record: recordShapes.assistant,
	fields: [...returnAllOrLimit, ...outputFields],
	isListed: (assistant) => !isDeleted(assistant),
	output: assistantOutput,
};
