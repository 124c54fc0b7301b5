import type { IDataObject } from 'n8n-workflow';

import { ANSWER_HEADER, ANSWER_UNTIL } from '../../../shared/answers/answer';
import { toCallVariables } from '../../../shared/answers/callVariables';
import { InvalidInput } from '../../../shared/client/errors';
import { isOn } from '../../../shared/fields/booleans';
import { findWrongField } from '../../../shared/fields/findWrongField';
import { textAnswer } from '../../../shared/midCallTools/toolCall';
import { asText, isRecord } from '../../../shared/values/json';
import { isUsedAsTool, readValues, type Values } from '../../fields/fieldValues';
import type { Field } from '../../fields/routing';
import { mergedVariables } from '../common/mergeVariables';
import { variables } from '../common/variables';
import type { ExecuteInN8n, OperationInN8n } from '../operation';

type Body = IDataObject | IDataObject[];

/** An object or list in a text; undefined for every other text. */
function parsed(text: string): Body | undefined {
	if (!/^\s*[{[]/.test(text)) return undefined;
	try {
		return JSON.parse(text) as Body;
	} catch {
		return undefined;
	}
}

/** The answer to a tool. An expression can give the data themselves. */
function toolAnswer({ answer }: Values): Body {
	if (isRecord(answer) || Array.isArray(answer)) return answer as Body;
	const text = typeof answer === 'boolean' ? String(answer) : asText(answer);
	if (text.trim() !== '') return parsed(text) ?? textAnswer(text);
	throw new InvalidInput({
		message: "'Answer' is empty",
		nextStep: 'Enter a text, or an expression that gives a text or data. No answer was sent.',
	});
}

/** The variables of a call that the service is about to answer. */
function callVariables(values: Values): Body {
	const wrong = findWrongField(respond.fields, values, ({ name }) => name === 'name');
	if (wrong) {
		throw new InvalidInput({
			message: `'${wrong.label}' ${wrong.problem}`,
			nextStep: 'Correct the field. No answer was sent.',
		});
	}
	const { variables: rows, variablesInput: input, variablesJson: json } = values;
	const leaveOut = values.variablesToLeaveOut;
	const entered = { ...(isRecord(rows) && rows), input, leaveOut, json };
	return toCallVariables('Variables', mergedVariables(entered));
}

/** What waits for an answer, by the value of *Respond To*. */
const WAITING = {
	inboundCall: {
		label: 'Inbound Call',
		toBody: callVariables,
		late: 'The assistant has already got the fallback variables',
	},
	midCallTool: {
		label: 'Mid Call Tool',
		toBody: toolAnswer,
		late: 'The assistant has already said the fallback answer',
	},
};

type Waiting = keyof typeof WAITING;

/** What waits behind a trigger; undefined behind other nodes. */
function waitsBehind(node: { type: string; parameters?: IDataObject }): Waiting | undefined {
	if (node.type.endsWith('MidCallToolTrigger')) return 'midCallTool';
	if (!node.type.endsWith('voiceAssistantCallingTrigger')) return undefined;
	const triggerOn = asText(node.parameters?.triggerOn);
	return /^=|^inboundCallStarting$/.test(triggerOn) ? 'inboundCall' : undefined;
}

/** What the operation uses of an execution's data. */
interface ExecutedNode {
	isExecuted: boolean;
	first: () => { json: IDataObject };
}

/**
 * The trigger of this execution.
 *
 * @throws {InvalidInput} when nobody waits for an answer
 */
function findTrigger(context: Parameters<ExecuteInN8n>[0]) {
	const { $: getNode } = context.getWorkflowDataProxy(0) as { $: (name: string) => ExecutedNode };
	const triggers = context
		.getParentNodes(context.getNode().name, { includeNodeParameters: true })
		.flatMap((node) => {
			const waiting = waitsBehind(node);
			return waiting ? [{ waiting, executed: getNode(node.name) }] : [];
		});
	const trigger = triggers.find(({ executed }) => executed.isExecuted) ?? triggers[0];
	if (trigger) return trigger;
	throw new InvalidInput({
		message: 'There is no assistant to answer',
		nextStep:
			"Place the node behind a Mid Call Tool Trigger, or behind a Trigger with 'Inbound Call Starting'.",
	});
}

/**
 * The time at which the assistant got the fallback; undefined when it waits. In a run of the editor, an item
 * that is pinned has a time of the past, and nobody waits.
 */
function passedAnswerTime(
	context: Parameters<ExecuteInN8n>[0],
	{ isExecuted, first }: ExecutedNode,
): string | undefined {
	if (context.getMode() === 'manual' || !isExecuted) return undefined;
	const until = asText(first().json[ANSWER_UNTIL]);
	return Date.parse(until) < Date.now() ? until : undefined;
}

/**
 * Sends the answer to the assistant that waits. The first answer of an execution counts. n8n's own node
 * *Respond to Webhook* does not accept a trigger of a community package (n8n.md#webhook-without-an-answer).
 *
 * @throws {InvalidInput} when a field is wrong, no trigger that waits precedes the node, an agent uses the
 * operation, or the assistant has got the fallback before
 */
const executeInN8n: ExecuteInN8n = async (context) => {
	if (isUsedAsTool(context.getNode())) {
		throw new InvalidInput({
			message: 'An AI agent cannot use this operation',
			nextStep: 'Place the node into a workflow that begins with a Mid Call Tool Trigger.',
		});
	}
	const { waiting, executed } = findTrigger(context);
	const values = readValues(context, respond.fields, 0);
	const { label, toBody, late } = WAITING[waiting];
	if (values.respondTo !== waiting) {
		throw new InvalidInput({
			message: `The trigger of this workflow waits for an answer to: ${label}`,
			nextStep: `Set 'Respond To' to '${label}'. No answer was sent.`,
		});
	}
	const body = toBody(values);
	const fallbackTime = passedAnswerTime(context, executed);
	// A repeated request may wait for an answer that is too late for the first one.
	await context.sendResponse({ body, headers: { [ANSWER_HEADER]: 'true' }, statusCode: 200 });
	const goesOn = isRecord(values.options) && isOn(values.options.continueWhenLate);
	if (fallbackTime === undefined || goesOn) return;
	throw new InvalidInput({
		message: `${late}, at ${fallbackTime}`,
		nextStep:
			"So the nodes behind this one do not run. Look what the nodes before have done, and make them faster. If the workflow should go on, switch on the option 'Continue When Late'.",
	});
};

const shownFor = (waiting: Waiting, { displayOptions, ...field }: Field): Field => ({
	...field,
	displayOptions: { show: { ...displayOptions?.show, respondTo: [waiting] } },
	routing: undefined,
});

export const respond: OperationInN8n = {
	name: 'Respond',
	action: 'Respond to call',
	description:
		'Answer the assistant that waits for this workflow: a tool during a call, or the question before an inbound call',
	// An agent is no assistant in a call.
	displayOptions: { hide: { '@tool': [true] } },
	fields: [
		{
			displayName: 'Respond To',
			name: 'respondTo',
			type: 'options',
			noDataExpression: true,
			default: 'midCallTool',
			description: 'What the trigger of the workflow waits for',
			options: [
				{
					name: 'Inbound Call',
					value: 'inboundCall',
					description: "Variables for a call, behind a Trigger with 'Inbound Call Starting'",
				},
				{
					name: 'Mid Call Tool',
					value: 'midCallTool',
					description: 'An answer during a call, behind a Mid Call Tool Trigger',
				},
			],
		},
		shownFor('midCallTool', {
			displayName: 'Answer',
			name: 'answer',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. There is a free slot on Tuesday at 10 a.m.',
			hint: "The parameters of the tool are in the trigger's item, under 'parameters'",
			description:
				'A text that the assistant can say, or JSON with the data. With several items, the first item gives the answer. The workflow goes on after it.',
		}),
		...variables(
			'The assistant uses them in this call, as texts. With several items, the first item gives them. The workflow goes on after it.',
		).map((field) => shownFor('inboundCall', field)),
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
						'Whether the workflow goes on when the assistant has already got the fallback. Without this option, the node fails then, because the person was told that it did not work. What the nodes before have done stays done.',
				},
			],
		},
	],
	executeInN8n,
};
