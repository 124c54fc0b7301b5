import { AssistantReader, toolIdsOf } from '../assistantRecord.mts';
import { attachTool, putTools } from '../attachTool.mts';
import { asAssumed, differs, type Check } from '../check.mts';
import { createTool } from '../createTool.mts';
import { isObject, typeName } from '../describe.mts';
import { namedAssistant } from '../namedAssistant.mts';
import { requireAccepted } from '../outcome.mts';
import { testUrl, toolName } from '../randomPart.mts';
import type { Row } from '../read/page.mts';
import { restoring } from '../restoring.mts';
import { observation, type Run } from '../run.mts';
import { requireConsent } from './consent.mts';

const HEADER = { name: 'X-Verify', value: 'shown-or-hidden' };

/** A new tool as the answers show it. */
const newTool = observation(async (run): Promise<{ created: Row; updated: Row }> => {
	await requireConsent(run);
	await namedAssistant(run);
	return restoring(run, async () => {
		const created = await createTool(run, {
			name: toolName(),
			description: 'Never use this tool. It only shows how the service stores tools.',
			endpoint: testUrl(),
			method: 'POST',
		});
		const path = `/user/tools/${Number(created['id'])}`;
		const response = await run.client.write('PUT', path, { headers: [HEADER] });
		requireAccepted(response, 'a change of a tool');
		const updated = isObject(response.body) ? response.body['data'] : undefined;
		return { created, updated: isObject(updated) ? updated : {} };
	});
});

/** @returns whether an update that leaves the tool out detaches it */
async function attachAndDetach(run: Run, toolId: number): Promise<boolean> {
	const assistant = await namedAssistant(run);
	const reader = new AssistantReader(run.client, assistant);
	const all = await attachTool(run, assistant, reader, toolId);
	const others = all.filter((id) => id !== toolId);
	const record = await putTools(run, assistant, reader, others);
	return !toolIdsOf(record).includes(toolId);
}

const toolDefaults: Check = {
	key: 'tool-defaults',
	level: 'reversible',
	async run(run) {
		const { created } = await newTool(run);
		const expected = '`headers` and `schema` are empty lists when they are not given';
		// Headers that are never shown are another assumption: tool-headers-form.
		const seen = ['headers', 'schema'].filter(
			(name) => !(name === 'headers' && !(name in created)) && !isEmptyList(created[name]),
		);
		if (seen.length === 0) return asAssumed(expected);
		const types = seen.map((name) => `${name}: ${typeName(created[name])}`);
		return differs(expected, types.join(', '));
	},
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The value of the assumption; undefined for a form that the sandbox does not have. */
function headersForm({ headers }: Row): string | undefined {
	if (headers === undefined) return 'absent';
	const [header] = Array.isArray(headers) ? (headers as unknown[]) : [];
	if (!isObject(header)) return undefined;
	if (header['value'] === HEADER.value) return 'shown';
	return header['name'] === HEADER.name ? 'masked' : undefined;
}

const toolHeadersForm: Check = {
	key: 'tool-headers-form',
	level: 'reversible',
	async run(run) {
		const { updated } = await newTool(run);
		const expected = 'a response shows the headers of a tool';
		const form = headersForm(updated);
		if (form === 'shown') return asAssumed(expected);
		const advice =
			'The nodes output what the service shows. The header is sent to the tool all the same.';
		if (form === undefined) return differs(expected, 'they are shown in another form', { advice });
		const seen = form === 'masked' ? 'their values are hidden' : 'there is no field `headers`';
		return differs(expected, seen, { value: form, advice });
	},
};

const toolIdsUpdate: Check = {
	key: 'tool-ids-update',
	level: 'reversible',
	async run(run) {
		const { created } = await newTool(run);
		const toolId = Number(created['id']);
		const isDetached = await restoring(run, () => attachAndDetach(run, toolId));
		const expected = '`tool_ids` of an update replace those that the assistant has';
		if (isDetached) return asAssumed(expected);
		return differs(expected, 'they are added to them', {
			value: 'added',
			advice:
				'The nodes cannot take a tool from an assistant. Do it at the website of the service.',
		});
	},
};

export const TOOL_CHECKS = [toolDefaults, toolHeadersForm, toolIdsUpdate];
