import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../shared/client/errors';
import { isOn } from '../../../shared/fields/booleans';
import { datesAsText } from '../../../shared/fields/dates';
import { ANSWER_HEADER, ANSWER_UNTIL, textAnswer } from '../../../shared/midCallTools/toolCall';
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

/** What the operation uses of an execution's data. */
interface ExecutedNode {
	isExecuted: boolean;
	first: () => { json: IDataObject };
}

/**
 * The time at which the assistant got the fallback; undefined when it waits. In a run of the editor, an item
 * that is pinned has a time of the past, and nobody waits.
 */
function passedAnswerTime(
	context: Parameters<ExecuteInN8n>[0],
	triggers: string[],
): string | undefined {
	if (context.getMode() === 'manual') return undefined;
	const { $: getNode } = context.getWorkflowDataProxy(0) as { $: (name: string) => ExecutedNode };
	const trigger = triggers.map(getNode).find(({ isExecuted }) => isExecuted);
	const until = asText(trigger?.first().json[ANSWER_UNTIL]);
	return Date.parse(until) < Date.now() ? until : undefined;
}

/**
 * Sends the answer to the assistant that called the workflow. The first answer of an execution counts.
 * n8n's own node *Respond to Webhook* does not accept a trigger of a community package (n8n 2.0, 2.41).
 *
 * @throws {InvalidInput} when the answer is empty, no Mid Call Tool Trigger precedes the node, an agent
 * uses the operation, or the assistant has got the fallback before
 */
const executeInN8n: ExecuteInN8n = async (context) => {
	if (isUsedAsTool(context.getNode())) {
		throw new InvalidInput({
			message: 'An AI agent cannot use this operation',
			nextStep: 'Place the node into a workflow that begins with a Mid Call Tool Trigger.',
		});
	}
	const triggers = context
		.getParentNodes(context.getNode().name)
		.filter(({ type }) => type.endsWith('MidCallToolTrigger'))
		.map(({ name }) => name);
	if (triggers.length === 0) {
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
	const fallbackTime = passedAnswerTime(context, triggers);
	// A repeated request may wait for an answer that is too late for the first one.
	await context.sendResponse({ body, headers: { [ANSWER_HEADER]: 'true' }, statusCode: 200 });
	const goesOn = isOn(context.getNodeParameter('options.continueWhenLate', 0, false));
	if (fallbackTime === undefined || goesOn) return;
	throw new InvalidInput({
		message: `The assistant has already said the fallback answer, at ${fallbackTime}`,
		nextStep:
			"So the nodes behind this one do not run. Look what the nodes before have done, and make them faster. If the workflow should go on, switch on the option 'Continue When Late'.",
	});
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
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			description: 'What happens when the answer is too late',
			options: [
				{
					displayName: 'Continue When Late',
					name: 'continueWhenLate',
					type: 'boolean',
					default: true,
					description:
						'Whether the workflow goes on when the assistant has already got the fallback answer. Without this option, the node fails then, because the person was told that it did not work. What the nodes before have done stays done.',
				},
			],
		},
	],
	executeInN8n,
};
