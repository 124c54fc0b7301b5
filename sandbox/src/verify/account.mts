import { isObject, type Finding } from './finding.mts';
import type { ReadList } from './lists.mts';

type Row = { [field: string]: unknown };

/** Records by their kind; `tools` are those that assistants have. */
type Records = { [kind in 'calls' | 'assistants' | 'tools']: Row[] };

type Sign = [name: string, kind: keyof Records, isSeen: (record: Row) => boolean];

const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isBuiltIn = (tool: Row): boolean => typeof tool['type'] === 'string' && !('id' in tool);

/** What only the newer generation has (public-service.md: Call record, Built-in tools, Assistant). */
const NEWER: Sign[] = [
	['built-in tools', 'tools', isBuiltIn],
	['`ringing_time`', 'assistants', (assistant) => 'ringing_time' in assistant],
	['the mode `dualplex`', 'assistants', ({ mode }) => mode === 'dualplex'],
	['transcripts as turns', 'calls', ({ transcript }) => isFilledList(transcript)],
	['evaluations as lists', 'calls', ({ evaluation }) => isFilledList(evaluation)],
	['costs as texts', 'calls', ({ total_cost: cost }) => typeof cost === 'string'],
];
/** What the contract has. Some services of the newer generation have such calls, too (S2). */
const OLDER: Sign[] = [
	['tools with IDs', 'tools', (tool) => 'id' in tool],
	[
		'transcripts as texts',
		'calls',
		({ transcript: said }) => typeof said === 'string' && said !== '',
	],
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
	return [
		{ topic: 'Generation', ...generation(records) },
		...(assistants.length === 0
			? []
			: [
					{ topic: 'Tools of assistants', ...toolsShown(records) },
					{ topic: 'Only completed calls', ...onlyCompleted(records) },
				]),
	];
}

type Told = Omit<Finding, 'topic'>;

function generation(records: Records): Told {
	const [newer, older] = [signs(NEWER, records), signs(OLDER, records)];
	if (newer !== '') {
		const text = `probably the newer one, because of ${newer}. Its assistants have other names of fields: Voice Assistant → Create may be refused, and Update may change nothing. --refused finds out.`;
		return { outcome: 'note', text };
	}
	if (older === '') return { outcome: 'open', text: 'no record shows it. --refused finds out.' };
	return {
		outcome: 'ok',
		text: `probably the older one, as in the contract, because of ${older}.`,
	};
}

function toolsShown({ assistants, tools }: Records): Told {
	if (tools.some(isBuiltIn) || !assistants.every((each) => Array.isArray(each['tools']))) {
		const text =
			'some are built-in tools, or no list. The Mid Call Tool Trigger cannot be published with such an assistant, because it does not see its mid call tools.';
		return { outcome: 'problem', text };
	}
	if (tools.length > 0) {
		return {
			outcome: 'ok',
			text: 'mid call tools with IDs. The Mid Call Tool Trigger keeps them.',
		};
	}
	const text =
		'none is shown. If an assistant has mid call tools all the same, the Mid Call Tool Trigger would detach them: choose another one there.';
	return { outcome: 'open', text };
}

function onlyCompleted({ assistants }: Records): Told {
	const isOn = assistants.some(({ send_webhook_only_on_completed: on }) => on === true || on === 1);
	if (!isOn) return { outcome: 'ok', text: "off. 'Call Completed' starts for every call." };
	const text =
		"on for some assistants. 'Call Completed' does not start there for calls such as unanswered ones, unless you switch off 'Only Completed Calls' in the trigger.";
	return { outcome: 'note', text };
}
