import { recordShapes } from '../../../shared/records/recordShapes';
import { outputFields } from '../common/output';
import type { Operation } from '../operation';
import { assistantOutput } from './assistantOutput';
import { assistantField, listUrl, oneAssistant, parseList } from './oneAssistant';

export const get: Operation = {
	name: 'Get',
	action: 'Get assistant',
	description: 'Retrieve an assistant with its settings',
	request: { method: 'GET', url: listUrl },
	parseResponse: parseList,
	record: recordShapes.assistant,
	fields: [assistantField, ...outputFields],
	oneOfList: oneAssistant,
	output: assistantOutput,
};
