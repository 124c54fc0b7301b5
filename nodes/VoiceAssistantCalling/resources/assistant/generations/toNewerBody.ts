import type { IDataObject } from 'n8n-workflow';

import { rowsIn } from '../../../../shared/client/pages';
import { asText, isRecord } from '../../../../shared/values/json';
import { getLabel } from '../../../fields/fieldLabels';
import type { ItemExchange } from '../../operation';
import { parseListOr } from '../oneAssistant';
import { builtInToolsOf, withEndCall } from './readBuiltInTools';
import { findIdByName } from './nameLookup';
import { renamed } from './newerNames';

/**
 * The body of a request to the newer generation (public-service: Assistant: fields of create and update).
 *
 * @param entered the body in the names of the form
 * @param readRecord reads the assistant of an update
 * @throws {DescribedError} when a name is not in the lists, or the built-in tools cannot be read whole
 */
export async function toNewerBody(
	entered: IDataObject,
	{ share, read, fields }: ItemExchange,
	readRecord?: () => Promise<IDataObject>,
): Promise<IDataObject> {
	/** The items of an account share the lists. */
	const lookUp = async (list: string, name: unknown, field: string, qs: IDataObject = {}) => {
		const path = `/user/assistants/${list}`;
		const label = getLabel(fields, field);
		const advice = `This provider takes the ID of '${label}', which this node finds by its name in the list ${path}. Ask your provider for the list, or send the ID with 'Custom API Call'.`;
		const body = await share(
			path + asText(qs.type),
			async () => await read(path, qs, parseListOr(advice)),
		);
		return findIdByName(rowsIn(body), name, label);
	};
	const { language, llm_model: model, end_call_tool: endCall, ...others } = entered;
	const { secondary_language_ids: languages, ...body } = renamed(others);
	if (language !== undefined) body.language_id = await lookUp('languages', language, 'language');
	if (languages !== undefined) {
		const names = asText(languages)
			.split(',')
			.filter((name) => name.trim() !== '');
		const getId = async (name: string) => await lookUp('languages', name, 'secondary_language_ids');
		body.secondary_language_ids = await Promise.all(names.map(getId));
	}
	const needsMode = model !== undefined && body.mode === undefined;
	const needsTools = endCall !== undefined && body.tools === undefined;
	const record = needsMode || needsTools ? await readRecord?.() : undefined;
	if (model !== undefined) {
		const mode = asText(body.mode ?? record?.mode);
		const [name, type] =
			mode === 'pipeline' ? ['llm_model_id', 'llm'] : ['multimodal_model_id', mode];
		body[name] = await lookUp('models', model, 'llm_model', { type });
	}
	if (isRecord(endCall)) {
		const tools = (body.tools ?? (record ? builtInToolsOf(record) : [])) as IDataObject[];
		body.tools = withEndCall(tools, endCall.description);
	}
	return body;
}
