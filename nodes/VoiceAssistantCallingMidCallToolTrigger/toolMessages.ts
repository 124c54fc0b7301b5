import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/values/json';
import { serviceText } from '../shared/values/serviceText';
import { describeReceiver } from '../shared/webhook/describeReceiver';
import { sentNames } from '../shared/webhook/sentNames';
import * as texts from '../shared/webhook/sharedTexts';

const describe = ({ name, id }: IDataObject): string =>
	`'${serviceText(asText(name))}' (ID ${serviceText(asText(id))})`;

export const noAssistant =
	"'Assistants' is empty. Choose at least one assistant that can use the tool.";

export const toolNotChosen = (entered: string): string =>
	entered
		? `'Existing Tool' must be an ID, a whole number from 1 (the value is: ${entered}). Choose a tool.`
		: "'Existing Tool' is empty. Choose a tool, or set 'Tool' to 'Create on Publish'.";

export const toolNotFound = (id: number): string =>
	`The tool with the ID ${id} does not exist in this account. Choose another tool, or set 'Tool' to 'Create on Publish'.`;

/** A change would replace the whole list of tools (contract: `tool_ids`). */
export const toolsUnreadable = (assistant: IDataObject): string =>
	`The service does not show the IDs of the tools of the assistant ${describe(assistant)}, which would lose its other tools. Choose another assistant.`;

const MOST_NAMED = 3;

/** @param others tools of the account; undefined when the service does not list them */
export function otherToolsNotSaid(others: IDataObject[] = []): string {
	const named = others.slice(0, MOST_NAMED).map(describe);
	const more = others.length > named.length ? [`${others.length - named.length} more`] : [];
	const which = named.length > 0 ? `, such as ${[...named, ...more].join(', ')}` : '';
	return `The service does not show which other tools these assistants have${which}, and publishing would take them off: choose under 'Other Tools of These Assistants' which ones they keep.`;
}

/** Of a tool that another workflow of this n8n has registered, as no version does now. */
export const holdersUntold = (tool: IDataObject): string =>
	`The tool ${describe(tool)} of another workflow of this n8n does not say which assistants have it, and they could lose it. Publish that workflow again, choose the tool under 'Other Tools of These Assistants', or delete it.`;

export const otherToolNotFound = (id: number): string =>
	`'Other Tools of These Assistants' has a tool with the ID ${id}, which does not exist in this account. Remove the entry.`;

/** A change would give the assistant all tools of the account (contract: tools *available* to the assistant). */
export const showsAllTools = (assistant: IDataObject, tool: IDataObject): string =>
	`The assistant ${describe(assistant)} shows the tool ${describe(tool)}, which this workflow has not attached to it. The service seems to show the tools of the whole account, so a change could give the assistant tools of others. Ask your provider.`;

export const nameTaken = (assistant: IDataObject, tool: IDataObject): string =>
	`The assistant ${describe(assistant)} already has another tool ${describe(tool)}. Enter another name, or set 'Tool' to 'Use Existing' and choose that tool.`;

export const toolNotVisible = (toolId: number): string =>
	`None of the chosen assistants has the tool with the ID ${toolId}, so it cannot be checked. Switch on 'Replace Existing Tool' to overwrite it unseen.`;

const takenBy = (tool: IDataObject, webhookUrl: string): string =>
	`The tool ${describe(tool)} belongs to ${describeReceiver(asText(tool.endpoint), webhookUrl)}.`;

/** @param webhookUrl of this trigger */
export const toolTaken = (tool: IDataObject, webhookUrl: string): string =>
	`${takenBy(tool, webhookUrl)} Switch on 'Replace Existing Tool' to take it over, or choose another tool.`;

const PIN =
	'To build the workflow, pin sample parameters as the output of this trigger: open it, choose Edit Output, and enter for example [{"parameters": {"preferred_day": "Monday"}}].';

/** A test must not take a tool away from somebody else, even for a short time. */
export const toolTakenInTest = (tool: IDataObject, webhookUrl: string): string =>
	`${takenBy(tool, webhookUrl)} ${PIN}`;

/** A test run must not create a tool, because the plan limits their number. */
export const listeningNeedsTool = `Listening for a test event works only with an existing tool, because each new tool counts against the limit of your plan. ${PIN}`;

export const toolListeningRefused = (tool: IDataObject): string =>
	`This workflow is published and answers the calls of the tool ${describe(tool)}, so it does not listen for a test event. ${PIN}`;

export const describeAssistants = (ids: number[]) =>
	`the assistant${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;

/** After a publish that failed, for its message. */
export const toolMayBeLeft = (toolId: number, assistantIds: number[]): string =>
	`The tool with the ID ${toolId} exists, and ${describeAssistants(assistantIds)} may have it: 'Voice Assistant → Get Webhook Status' shows it, and unpublishing takes it away.`;

/** For the log: the tool leads to another address. */
export const toolLeftElsewhere = (tool: IDataObject, webhookUrl: string): string =>
	texts.leavesAsItIs(
		`the tool ${describe(tool)}`,
		describeReceiver(asText(tool.endpoint), webhookUrl),
		'answering',
	);

/** For the log: the account of the credential is not the one that has the tool. */
export const toolLeftUnseen = (toolId: number, assistantIds: number[]): string =>
	texts.mayStillBe(`the tool ${toolId} of ${describeAssistants(assistantIds)}`);

/** The tool exists, but an assistant did not get it. */
export const attachedInPart = (
	toolId: number,
	attached: number[],
	assistantId: number,
	reason: string,
): string => {
	const others =
		attached.length > 0 ? `It was attached to the assistants ${attached.join(', ')}, but` : 'It';
	return `The tool with the ID ${toolId} exists. ${others} could not be attached to the assistant ${assistantId}, and n8n takes it from all assistants again: ${reason}`;
};

/** n8n 2.0 forgets the static data of a failed publish, and with it the ID. */
export const publishAgain =
	"Publish again. Before n8n 2.41, first set 'Tool' to 'Use Existing', enter this ID, and switch on 'Replace Existing Tool'.";

export const quotaReached =
	"If your plan allows no more tools, set 'Tool' to 'Use Existing' and choose one that nobody needs any more, or ask your provider for a larger plan.";

/**
 * The service accepted the endpoint, and answers with another one.
 *
 * @param isTakenBack whether the tool is as it was before
 */
export const endpointNotKept = (
	toolId: number,
	lengths: texts.Lengths,
	isTakenBack: boolean,
): string => {
	const left = isTakenBack
		? 'The tool is as it was before.'
		: 'Requests of the tool do not arrive.';
	return `The service did not keep the endpoint of the tool with the ID ${toolId} as it was written: ${texts.bothLengths(lengths)} ${left} Ask your provider to keep endpoints of tools unchanged.`;
};

/**
 * What n8n's log says of a call of the tool without usable values.
 *
 * @param unusable the parameters that are missing or of another type
 * @param sent names of the fields that came
 */
export const parametersUnusable = (unusable: string[], sent: string[]): string =>
	`The tool was called without a usable ${unusable.join(', ')}, so the workflow did not start. Fields that came: ${sentNames(sent)}. If one of them has the values in a form that cannot be read, ask your provider to send each parameter in a field of its own.`;
