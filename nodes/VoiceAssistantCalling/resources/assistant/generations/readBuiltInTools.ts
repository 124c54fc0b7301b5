import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../../shared/client/errors';
import { isId } from '../../../../shared/values/ids';
import { asText, isRecord } from '../../../../shared/values/json';
import { serviceText } from '../../../../shared/values/serviceText';

/** The fields without which a tool is lost (public-service: Built-in tools of an assistant; S1, S2). */
const REQUIRED: Record<string, string[] | undefined> = {
	call_transfer: ['phone_number'],
	warm_call_transfer: ['supervisor_phone', 'outbound_phone_id', 'description'],
	calendar_integration: ['calcom_api_key', 'calcom_event_slug'],
	assistant_transfer: ['assistant_id'],
};

/** Whether a value is there, and not shown without its characters, as keys can be. */
const isWhole = (name: string, value: unknown) =>
	asText(value) !== '' && (name === 'description' || !/[*•]{3}|…$/.test(asText(value)));

/** A tool of a record as a request has it; undefined when a part of it is not shown. */
function toRequestForm(tool: unknown): IDataObject | undefined {
	const { type, data: shown, ...others } = isRecord(tool) ? tool : {};
	// An empty object can be an empty list (public-service: empty-objects).
	const data = Array.isArray(shown) && shown.length === 0 ? {} : shown;
	const isForm = asText(type) !== '' && isRecord(data) && !('type' in data);
	if (!isForm || Object.keys(others).length > 0) return undefined;
	const required = REQUIRED[asText(type)] ?? [];
	return required.every((name) => isWhole(name, data[name])) ? { type, ...data } : undefined;
}

/**
 * The built-in tools of an assistant's record, as a request has them. Custom ones, which have an ID, are no part.
 *
 * @throws {InvalidInput} when one cannot be read whole: an update replaces all, and would change it
 */
export function builtInToolsOf({ tools }: IDataObject): IDataObject[] {
	const shown = Array.isArray(tools) ? (tools as unknown[]) : [{ type: 'none is shown' }];
	const builtIn = shown.filter((tool) => !(isRecord(tool) && isId(tool.id) && !('data' in tool)));
	return builtIn.map((tool) => {
		const read = toRequestForm(tool);
		if (read) return read;
		// The fields can have keys of other systems.
		const type = (isRecord(tool) && serviceText(asText(tool.type))) || 'one without a type';
		throw new InvalidInput({
			message: `The assistant's built-in tools cannot be read whole: ${type}`,
			nextStep:
				"An update replaces all of them, so nothing was changed. Enter all in 'Built-in Tools (JSON)', or change the end call tool at your provider.",
		});
	});
}

/** Built-in tools with this description of when to end the call, in place of the one that they have. */
export function withEndCall(tools: IDataObject[], description: IDataObject[string]): IDataObject[] {
	const type = 'end_call';
	if (!tools.some((tool) => tool.type === type)) return [...tools, { type, description }];
	return tools.map((tool) => (tool.type === type ? { ...tool, description } : tool));
}
