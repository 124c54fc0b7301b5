import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../../../../shared/client/errors';
import { isId } from '../../../../shared/values/ids';
import { asText, isRecord } from '../../../../shared/values/json';
import { serviceText } from '../../../../shared/values/serviceText';

const END_CALL = 'end_call';

/** The fields without which a tool is lost (public-service: Built-in tools of an assistant; S1, S2). */
const REQUIRED: Record<string, string[] | undefined> = {
	call_transfer: ['phone_number'],
	warm_call_transfer: ['supervisor_phone', 'outbound_phone_id', 'description'],
	calendar_integration: ['calcom_api_key', 'calcom_event_slug'],
	assistant_transfer: ['assistant_id'],
};

/** A text that a service shows without its characters. */
const isMasked = (value: unknown) => /[*•]{3}|…$/.test(asText(value));

const isShown = (data: IDataObject) => (name: string) =>
	asText(data[name]) !== '' && (name === 'description' || !isMasked(data[name]));

/** A custom tool, where a service shows those too. `tools` of a request is not about them. */
const isCustom = (tool: unknown) => isRecord(tool) && isId(tool.id) && !('data' in tool);

/** The tool as a request has it; undefined when a part of it is not shown. */
function toRequestForm(tool: unknown): IDataObject | undefined {
	if (!isRecord(tool)) return undefined;
	const { type, data: shown, ...others } = tool;
	// An empty object can be an empty list (public-service: empty-objects).
	const data = Array.isArray(shown) && shown.length === 0 ? {} : shown;
	if (asText(type) === '' || !isRecord(data) || 'type' in data) return undefined;
	const isWhole = (REQUIRED[asText(type)] ?? []).every(isShown(data));
	return isWhole && Object.keys(others).length === 0 ? { type, ...data } : undefined;
}

/**
 * The built-in tools of an assistant's record, as a request has them.
 *
 * @throws {InvalidInput} when one cannot be read whole: an update replaces all, and would change it
 */
export function builtInToolsOf({ tools }: IDataObject): IDataObject[] {
	const shown = Array.isArray(tools) ? (tools as unknown[]) : [{ type: 'none is shown' }];
	return shown
		.filter((tool) => !isCustom(tool))
		.map((tool) => {
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
export function withEndCall(tools: IDataObject[], description: unknown): IDataObject[] {
	const endCall = { type: END_CALL, description } as IDataObject;
	const isThere = tools.some(({ type }) => type === END_CALL);
	if (!isThere) return [...tools, endCall];
	return tools.map((tool) => (tool.type === END_CALL ? { ...tool, ...endCall } : tool));
}
