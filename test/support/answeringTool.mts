import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { midCallToolTrigger, respond, TOOL_CALL, toolParameters } from './midCallTools.mts';
import { httpGet, node, workflow } from './workflows.mts';

/** Name and fallback answer of the tool. */
export const ANSWERING_TOOL = 'find_slot';
const FALLBACK = 'I have to call you back about that.';

/** The nodes of the workflow behind each value of its parameter `way`. */
const PATHS = {
	early: ['Answer first', 'Go on'],
	data: ['Answer with data'],
	twice: ['Answer once', 'Answer again'],
	late: ['Wait', 'Answer late'],
	never: ['Do nothing'],
	fails: ['Fail'],
};

/** The ways in which a workflow can answer, or not. */
export type Way = keyof typeof PATHS;
export const WAYS = Object.keys(PATHS) as Way[];

/** What the assistant gets on each way. */
export const ANSWERS: Record<Way, { answer: string; slots?: number[] }> = {
	early: { answer: 'Tuesday, early.' },
	data: { answer: 'Two are free.', slots: [10, 11] },
	twice: { answer: 'One.' },
	late: { answer: FALLBACK },
	never: { answer: FALLBACK },
	fails: { answer: FALLBACK },
};

/** The nodes that run on a way. */
export const nodesOn = (way: Way): string[] => [TOOL_CALL, 'By way', ...PATHS[way]];

/**
 * A workflow that is a tool, and answers in the way that its parameter `way` names.
 *
 * @param waitUrl of a server where `early` waits after the answer, and `late` before
 * @param timeout of the tool, in seconds
 */
export function answeringTool(
	assistantId: number,
	credential: CredentialRef,
	waitUrl: string,
	timeout: number,
): Workflow {
	const nodes = [
		midCallToolTrigger([assistantId], credential, {
			name: ANSWERING_TOOL,
			parameters: toolParameters({ way: 'string' }),
			fallbackAnswer: FALLBACK,
			options: { timeout },
		}),
		node('By way', 'n8n-nodes-base.switch', 3, {
			mode: 'expression',
			numberOutputs: WAYS.length,
			output: `={{ ${JSON.stringify(WAYS)}.indexOf($json.parameters.way) }}`,
		}),
		respond('Answer first', '=Tuesday, {{ $json.parameters.way }}.'),
		httpGet('Go on', waitUrl),
		respond('Answer with data', `={{ (${JSON.stringify(ANSWERS.data)}) }}`),
		respond('Answer once', 'One.'),
		respond('Answer again', 'Two.'),
		httpGet('Wait', waitUrl),
		respond('Answer late', 'Too late.'),
		node('Do nothing', 'n8n-nodes-base.noOp', 1, {}),
		node('Fail', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'No calendar.' }),
	];
	return workflow('Answers', nodes, [
		[TOOL_CALL, 'By way'],
		...Object.values(PATHS).map(([first = ''], output): [string, string, number] => [
			'By way',
			first,
			output,
		]),
		['Answer first', 'Go on'],
		['Answer once', 'Answer again'],
		['Wait', 'Answer late'],
	]);
}
