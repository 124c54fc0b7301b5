import type { IExecuteFunctions, IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../shared/client/errors';
import { asText } from '../../../shared/client/json';
import { ANSWER_HEADER, textAnswer } from '../../../shared/midCallTools/answer';
import type { Field } from '../../fields/routing';

export const fields: Field[] = [
	{
		displayName: 'Answer As',
		name: 'answerAs',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'JSON',
				value: 'json',
				description: 'Data from which the assistant makes a sentence',
			},
			{ name: 'Text', value: 'text', description: 'A text that the assistant can say' },
		],
		default: 'text',
	},
	{
		displayName: 'Answer',
		name: 'answer',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		displayOptions: { show: { answerAs: ['text'] } },
		placeholder: 'e.g. There is a free slot on Tuesday at 10 a.m.',
		description:
			'What the assistant learns. With several items, the first item gives the answer. The workflow goes on after it.',
	},
	{
		displayName: 'Answer (JSON)',
		name: 'answerJson',
		type: 'json',
		typeOptions: { rows: 5 },
		default: '{}',
		required: true,
		displayOptions: { show: { answerAs: ['json'] } },
		description:
			'An object or a list. With several items, the first item gives the answer. The workflow goes on after it.',
	},
];

const invalidAnswer = (message: string, nextStep: string) =>
	new InvalidInput({ message, nextStep: `${nextStep} The assistant has not got this answer.` });

function parsedAnswer(entered: unknown): IDataObject | IDataObject[] {
	let value = entered;
	try {
		if (typeof entered === 'string') value = JSON.parse(entered);
	} catch {
		throw invalidAnswer("'Answer (JSON)' is not valid JSON", 'Correct it, or answer with a text.');
	}
	if (typeof value === 'object' && value !== null) return value as IDataObject | IDataObject[];
	throw invalidAnswer(
		"'Answer (JSON)' is no object and no list",
		'To answer with a text, choose it under Answer As.',
	);
}

function readAnswer(context: IExecuteFunctions): IDataObject | IDataObject[] {
	if (context.getNodeParameter('answerAs', 0) === 'json') {
		return parsedAnswer(context.getNodeParameter('answerJson', 0));
	}
	const answer = asText(context.getNodeParameter('answer', 0));
	if (answer.trim() !== '') return textAnswer(answer);
	throw invalidAnswer("'Answer' is empty", 'Enter a text, or an expression that gives a text.');
}

/**
 * Sends the answer to the assistant that called the workflow. The first answer of an execution counts.
 * n8n's own node *Respond to Webhook* does not accept a trigger of a community package (n8n 2.0, 2.41).
 *
 * @throws {InvalidInput} when the answer is empty or no JSON, or an agent uses the operation
 */
export async function sendAnswer(context: IExecuteFunctions): Promise<void> {
	if (context.getNode().type.endsWith('Tool')) {
		throw invalidAnswer(
			'An AI agent cannot use this operation',
			'Place it in the workflow of a Mid Call Tool Trigger.',
		);
	}
	const body = readAnswer(context);
	await context.sendResponse({ body, headers: { [ANSWER_HEADER]: 'true' }, statusCode: 200 });
}
