import { parseJson } from '../base/parseJson.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { ToolRequest } from '../store/records.mts';
import { oneLine } from './phrases.mts';

/** The lines of a transcript about a tool call: the request, what came of it, what the assistant says. */
export function toolLines(request: ToolRequest, assumptions: Assumptions): string[] {
	const { tool_name: name, arguments: values, state, status, latency_ms: latency } = request;
	const lines = [`Assistant calls the tool ${name} with ${JSON.stringify(values)}.`];
	if (status !== null) lines.push(`The tool answered with status ${status} after ${latency} ms.`);
	if (state === 'failed') lines.push(oneLine(request.error ?? ''));
	const said = spokenAnswer(request, assumptions['tool-answer-fields']);
	return [...lines, `Assistant: ${said === '' ? assumptions['tool-no-answer'] : said}`];
}

/** What the assistant says of an answer; empty when there is nothing to say. */
function spokenAnswer({ state, status, answer }: ToolRequest, fields: string[]): string {
	const isAnswer = status !== null && (status < 300 || (status >= 400 && status < 500));
	return state === 'answered' && isAnswer ? oneLine(readable(answer, fields)) : '';
}

function readable(answer: string, fields: string[]): string {
	if (isMarkup(answer)) return '';
	const json = parseJson(answer);
	if (typeof json === 'string') return json;
	if (typeof json !== 'object' || json === null) return answer;
	const values = new Map<string, unknown>(Object.entries(json));
	const spoken = fields.map((field) => values.get(field)).find(isSpoken);
	return spoken?.toString() ?? answer;
}

const isSpoken = (value: unknown): value is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof value);

/** Web servers often send a text as HTML, so its beginning tells, and not its type. */
const isMarkup = (answer: string): boolean => /^\s*<[!?a-z]/i.test(answer);
