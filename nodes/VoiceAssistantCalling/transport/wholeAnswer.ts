import type {
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

/**
 * Hands the whole answer on instead of its body, so that status and headers can be judged here. It is
 * the first and only `postReceive`; n8n itself does not look at the status (`ignoreHttpStatusErrors`).
 */
export function wholeAnswer(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	{ statusCode, headers, body }: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return Promise.resolve([{ json: { statusCode, headers, body } }]);
}
