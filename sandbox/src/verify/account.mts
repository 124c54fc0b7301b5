import { finding, isObject, type Finding } from './finding.mts';
import type { ReadList } from './lists.mts';

interface Row {
	[field: string]: unknown;
}

/** Records by their kind; `tools` are those that assistants have. */
type Records = { [kind in 'calls' | 'assistants' | 'tools']: Row[] };
type Sign = [name: string, kind: keyof Records, isSeen: (record: Row) => boolean];

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isBuiltIn = (tool: Row): boolean => 'type' in tool && !('id' in tool);

/** What only the newer generation has (public-service.md: Call record, Built-in tools, Assistant). */
const NEWER: Sign[] = [
	['built-in tools', 'tools', isBuiltIn],
	['`ringing_time`', 'assistants', (assistant) => 'ringing_time' in assistant],
	['the mode `dualplex`', 'assistants', ({ mode }) => mode === 'dualplex'],
	['transcripts as turns', 'calls', ({ transcript }) => isFilled(transcript)],
	['evaluations as lists', 'calls', ({ evaluation }) => isFilled(evaluation)],
	['costs as texts', 'calls', ({ total_cost: cost }) => typeof cost === 'string'],
];
/** What the contract has. Some services of the newer generation have such calls, too (S2). */
const OLDER: Sign[] = [
	['tools with IDs', 'tools', (tool) => 'id' in tool],
	['transcripts as texts', 'calls', ({ transcript }) => typeof transcript === 'string'],
	['costs as numbers', 'calls', ({ total_cost: cost }) => typeof cost === 'number'],
];

const signs = (of: Sign[], records: Records): string =>
	of.flatMap(([name, kind, isSeen]) => (records[kind].some(isSeen) ? name : [])).join(', ');

/** What the records say about the account, apart from how they fit the contract. */
export function accountFindings(lists: ReadList[]): Finding[] {
	const rowsOf = (schema: string) =>
		lists.flatMap(({ list, rows }) => (list.schema === schema ? rows.filter(isObject) : []));
	const assistants = rowsOf('Assistant');
	const tools = assistants.flatMap((each) => [each['tools']].flat().filter(isObject));
	const records = { calls: rowsOf('Call'), assistants, tools };
	const isShown = assistants.length > 0;
	return [generation(records), ...(isShown ? [toolsShown(records), onlyCompleted(records)] : [])];
}

function generation(records: Records): Finding {
	const topic = 'Generation';
	const [newer, older] = [signs(NEWER, records), signs(OLDER, records)];
	if (newer !== '') {
		const text = `probably the newer one, because of ${newer}. Its assistants have other names of fields: Voice Assistant → Create may be refused, and Update may change nothing. --refused finds out.`;
		return finding('note', topic, text);
	}
	if (older === '') return finding('open', topic, 'no record shows it. --refused finds out.');
	return finding('ok', topic, `probably the older one, as in the contract, because of ${older}.`);
}

function toolsShown({ assistants, tools }: Records): Finding {
	const topic = 'Tools of assistants';
	if (tools.some(isBuiltIn) || !assistants.every((each) => Array.isArray(each['tools']))) {
		const text =
			'some are built-in tools, or no list. The Mid Call Tool Trigger cannot be published with such an assistant, because it does not see its mid call tools.';
		return finding('problem', topic, text);
	}
	if (tools.length > 0) {
		return finding('ok', topic, 'they have IDs. The Mid Call Tool Trigger keeps them.');
	}
	const text =
		'none is shown. If an assistant has mid call tools all the same, the Mid Call Tool Trigger would detach them: choose another one there.';
	return finding('open', topic, text);
}

function onlyCompleted({ assistants }: Records): Finding {
	const topic = 'Only completed calls';
	const isOn = assistants.some(({ send_webhook_only_on_completed: on }) => on === true || on === 1);
	if (!isOn) return finding('ok', topic, "off. 'Call Completed' starts for every call.");
	const text =
		"on for some assistants. 'Calls' of the Trigger decides: with 'All', publishing switches it off, and unpublishing puts it back.";
	return finding('note', topic, text);
}
