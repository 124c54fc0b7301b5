import type { IDataObject } from 'n8n-workflow';

import * as messages from './toolMessages';
import { assistantsOf } from './toolEndpoint';

/** What is known of other tools where no record shows which tools an assistant has. */
export interface OtherTools {
	/** The IDs that the user says; undefined when it was not said. */
	said: number[] | undefined;
	/** The tools of the account but for the trigger's own; undefined when the service does not list them. */
	inAccount: IDataObject[] | undefined;
	/** Whether a tool belongs to another trigger of this n8n, which says in its endpoint who has it. */
	isOfThisN8n: (tool: IDataObject) => boolean;
}

/** The tools that an assistant keeps: those that the user says, and those of other triggers of this n8n. */
export function keptTools(
	{ said = [], inAccount, isOfThisN8n }: OtherTools,
	assistantId: number,
): IDataObject[] {
	const isKept = (tool: IDataObject) =>
		said.includes(Number(tool.id)) ||
		(isOfThisN8n(tool) && assistantsOf(tool.endpoint)?.includes(assistantId) === true);
	return inAccount?.filter(isKept) ?? said.map((id) => ({ id }));
}

/** Why nobody knows which tools the assistants would lose by a change, or undefined. */
export function whyUnknown({ said, inAccount, isOfThisN8n }: OtherTools): string | undefined {
	const others = inAccount?.filter((tool) => !isOfThisN8n(tool));
	if (!said && others?.length !== 0) return messages.otherToolsNotSaid(others);
	const isUntold = (tool: IDataObject) =>
		isOfThisN8n(tool) && !said?.includes(Number(tool.id)) && !assistantsOf(tool.endpoint);
	const untold = inAccount?.find(isUntold);
	return untold && messages.holdersUntold(untold);
}
