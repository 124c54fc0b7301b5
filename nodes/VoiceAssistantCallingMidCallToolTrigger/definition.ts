import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { chosenIds } from '../shared/assistants/chosenAssistants';
import { InvalidInput } from '../shared/client/errors';
import { isOn } from '../shared/fields/booleans';
import { findWrongValue } from '../shared/fields/findWrongField';
import type { RuledField } from '../shared/fields/textRule';
import { shortText } from '../shared/fields/values';
import { toolFields } from '../shared/midCallTools/toolFields';
import { TOKEN_HEADER, type Header } from '../shared/midCallTools/toolCall';
import { asText, recordsIn } from '../shared/values/json';
import { detailHeaders, toPlaceholder, USUAL_DETAILS, type CallDetail } from './callDetails';
import {
	callDetailNames,
	callDetails,
	fallbackAnswer,
	otherTools,
	replaceTool,
	sameAnswer,
} from './fields';
import type { ToolParameter } from './toolParameters';

/** The tool as the node describes it, in the words of the service (contract: Mid call tool). */
export interface ToolDefinition {
	name: string;
	description: string;
	method: string;
	/** Seconds. */
	timeout: number;
	headers: Header[];
	schema: ToolParameter[];
}

/** What this trigger says about choices. */
const CHOICES: Record<string, string | undefined> = {
	method: 'must be one of GET, POST, PUT, PATCH, DELETE',
	otherTools: 'must be Not Said, None or These',
	type: 'must be Text, Number or True or False',
};

const wrongToolField = (label: string, problem: string) =>
	new InvalidInput({
		message: `'${label}' ${problem}`,
		nextStep: 'Change it in the Mid Call Tool Trigger.',
	});

/** Checks a field of the tool. All of them need a value, but a switch can be off. */
function check(field: RuledField, value: unknown): void {
	const needsValue = ({ type }: RuledField) => type !== 'boolean';
	const wrong = findWrongValue(field, value, needsValue);
	if (!wrong) return;
	const isSwitch = wrong.field.type === 'boolean';
	const problem = CHOICES[wrong.field.name] ?? wrong.problem;
	const shown = isSwitch ? ` (the value is: ${shortText(wrong.value)})` : '';
	throw wrongToolField(wrong.label, problem + shown);
}

const toText = (value: unknown): string => asText(value).trim();

/** Reads a text, without spaces around it. */
function readText(context: IHookFunctions, field: RuledField): string {
	const text = toText(context.getNodeParameter(field.name, ''));
	check(field, text);
	return text;
}

/**
 * Reads which details of a call the service is asked for.
 *
 * @returns undefined when *Call Details* is off
 */
export function readCallDetailNames(
	context: IHookFunctions | IWebhookFunctions,
): CallDetail[] | undefined {
	const isWanted = context.getNodeParameter('options.callDetails', callDetails.default);
	check(callDetails, isWanted);
	if (!isOn(isWanted)) return undefined;
	const rows = recordsIn(context.getNodeParameter('options.callDetailNames.detail', []));
	const detail = rows.map((row) => ({
		name: toText(row.name),
		placeholder: toPlaceholder(toText(row.placeholder)),
	}));
	check(callDetailNames, { detail });
	return detail.length > 0 ? detail : USUAL_DETAILS;
}

/** Reads the headers that the user adds to those of the trigger. */
function readHeaders(context: IHookFunctions, ownHeaders: Header[]): Header[] {
	const rows = recordsIn(context.getNodeParameter('options.headers.header', []));
	const header = rows.map(({ name, value }) => ({ name: toText(name), value: toText(value) }));
	check(toolFields.headers, { header });
	const ownNames = [TOKEN_HEADER, ...ownHeaders.map(({ name }) => name)];
	for (const [index, { name }] of header.entries()) {
		const own = ownNames.find((each) => each.toLowerCase() === name.toLowerCase());
		if (own === undefined) continue;
		const problem = `cannot be ${own}, which the trigger uses itself`;
		throw wrongToolField(`Headers → ${index + 1} → Name`, problem);
	}
	return header;
}

/**
 * Reads the parameters of the tool. Each delivery needs them, so they are read without the rest, and not checked: an
 * expression can have another value since the publish, and the person on the phone waits.
 */
export function readParameters(context: IHookFunctions | IWebhookFunctions): ToolParameter[] {
	const rows = recordsIn(context.getNodeParameter('parameters.parameter', []));
	return rows.map(({ name, type, description }) => ({
		name: toText(name),
		type: type as ToolParameter['type'],
		description: toText(description),
	}));
}

/** Reads how long the assistant waits, in seconds. */
export function readTimeout(context: IHookFunctions | IWebhookFunctions): number {
	const value = context.getNodeParameter('options.timeout', toolFields.timeout.default);
	check(toolFields.timeout, value);
	return Number(value);
}

/** Reads how long the same request gets the same answer, in seconds. */
export function readSameAnswer(context: IHookFunctions | IWebhookFunctions): number {
	const value = context.getNodeParameter('options.sameAnswerSeconds', sameAnswer.default);
	check(sameAnswer, value);
	return Number(value);
}

/** Reads the method of the tool's requests. */
export function readMethod(context: IHookFunctions | IWebhookFunctions): string {
	const value = context.getNodeParameter('options.method', toolFields.method.default);
	check(toolFields.method, value);
	return asText(value);
}

/**
 * Reads which other tools the user says that the assistants have.
 *
 * @returns undefined for *Not Said*
 */
export function readOtherTools(context: IHookFunctions): number[] | undefined {
	const said = context.getNodeParameter('otherTools', otherTools.default);
	check(otherTools, said);
	if (said !== 'these') return said === 'none' ? [] : undefined;
	const { displayName: label } = otherTools;
	const nextStep = 'Choose a tool, or remove the entry.';
	const ids = chosenIds(context, { name: 'otherToolIds', picker: 'toolId', label, nextStep });
	if (ids.length === 0) throw wrongToolField(label, "is 'These', and names no tool");
	return ids;
}

/** Reads whether the trigger may take over an existing tool. */
export function readReplaceTool(context: IHookFunctions): boolean {
	const value = context.getNodeParameter('options.replaceTool', false);
	check(replaceTool, value);
	return isOn(value);
}

/**
 * Reads the tool that the node describes, and checks it against the limits of the service, so that
 * nothing is registered when a field is wrong.
 *
 * @throws {InvalidInput} that names the first wrong field
 */
export function readDefinition(context: IHookFunctions): ToolDefinition {
	const ownHeaders = detailHeaders(readCallDetailNames(context) ?? []);
	const headers = [...readHeaders(context, ownHeaders), ...ownHeaders];
	readText(context, fallbackAnswer);
	readSameAnswer(context);
	const schema = readParameters(context);
	check(toolFields.parameters, { parameter: schema });
	return {
		name: readText(context, toolFields.name),
		description: readText(context, toolFields.description),
		method: readMethod(context),
		timeout: readTimeout(context),
		headers,
		schema,
	};
}

/** The rows of a table as text, whatever the order of their fields and whatever else they have. */
const rows = (value: unknown, fields: string[]): string =>
	JSON.stringify(recordsIn(value).map((row) => fields.map((field) => row[field])));

const TABLES = new Map([
	['headers', ['name', 'value']],
	['schema', ['name', 'type', 'description']],
]);

/**
 * Finds what an update of a tool has to change.
 *
 * @param tool record (contract: Mid call tool); undefined when it is not known
 * @param body that would create the tool
 * @returns the fields of the body with other values than the record; none when the tool needs no update
 */
export const changesOf = (tool: IDataObject | undefined, body: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(body).filter(([name, value]) => {
			const fields = TABLES.get(name);
			return fields && tool && Object.hasOwn(tool, name)
				? rows(tool[name], fields) !== rows(value, fields)
				: tool?.[name] !== value;
		}),
	);
