import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../shared/client/errors';
import { datesAsText } from '../../../shared/fields/dates';
import { ANSWER_HEADER, textAnswer } from '../../../shared/midCallTools/toolCall';
import { asText, isRecord } from '../../../shared/values/json';
import { isUsedAsTool } from '../../fields/fieldValues';
import type { ExecuteInN8n, OperationInN8n } from '../operation';

/** An object or list in a text; undefined for every other text. */
function parsed(text: string): IDataObject | IDataObject[] | undefined {
	if (!/^\s*[{[]/.test(text)) return undefined;
	try {
		return JSON.parse(text) as IDataObject | IDataObject[];
	} catch {
		return undefined;
	}
}

/** An expression can give the data themselves. */
function answerBody(answer: unknown): IDataObject | IDataObject[] | undefined {
	if (isRecord(answer) || Array.isArray(answer)) return answer as IDataObject | IDataObject[];
	const text = typeof answer === 'boolean' ? String(answer) : asText(answer);
	return text.trim() === '' ? undefined : (parsed(text) ?? textAnswer(text));
}

/**
 * Sends the answer to the assistant that called the workflow. The first answer of an execution counts.
 * n8n's own node *Respond to Webhook* does not accept a trigger of a community package (n8n 2.0, 2.41).
 *
 * @throws {InvalidInput} when the answer is empty, no Mid Call Tool Trigger precedes the node, or an agent
 * uses the operation
 */
const executeInN8n: ExecuteInN8n = async (context) => {
	if (isUsedAsTool(context.getNode())) {
		throw new InvalidInput({
			message: 'An AI agent cannot use this operation',
			nextStep: 'Place the node into a workflow that begins with a Mid Call Tool Trigger.',
		});
	}
	const isAnswerWanted = context
		.getParentNodes(context.getNode().name)
		.some(({ type }) => type.endsWith('MidCallToolTrigger'));
	if (!isAnswerWanted) {
		throw new InvalidInput({
			message: 'There is no assistant to answer',
			nextStep: 'Place the node behind a Mid Call Tool Trigger.',
		});
	}
	const body = answerBody(datesAsText(context.getNodeParameter('answer', 0)));
	if (!body) {
		throw new InvalidInput({
			message: "'Answer' is empty",
			nextStep: 'Enter a text, or an expression that gives a text or data. No answer was sent.',
		});
	}
	await context.sendResponse({ body, headers: { [ANSWER_HEADER]: 'true' }, statusCode: 200 });
};

export const respond: OperationInN8n = {
	name: 'Respond',
	action: 'Respond to mid call tool',
	description:
		'Answer the assistant that called this workflow as a tool. Needs a Mid Call Tool Trigger at the beginning of the workflow.',
	// An agent is no assistant in a call.
	displayOptions: { hide: { '@tool': [true] } },
	fields: [
		{
			displayName: 'Answer',
			name: 'answer',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			required: true,
			placeholder: 'e.g. There is a free slot on Tuesday at 10 a.m.',
			description:
				'A text that the assistant can say, or JSON with the data. With several items, the first item gives the answer. The workflow goes on after it.',
		},
	],
	executeInN8n,
};
