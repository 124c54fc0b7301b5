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
	const ofAccount = lists.find(({ list }) => list.kind === 'tools');
	const hasNone = ofAccount?.found.outcome === 'ok' && ofAccount.rows.length === 0;
	const isShown = assistants.length > 0;
	return [
		generation(records),
		...(isShown ? [toolsShown(records, hasNone), onlyCompleted(records)] : []),
		INBOUND,
	];
}

function generation(records: Records): Finding {
	const topic = 'Generation';
	const [newer, older] = [signs(NEWER, records), signs(OLDER, records)];
	if (newer !== '') {
		const text = `probably the newer one, because of ${newer}. Its assistants have other names of fields. Voice Assistant → Create and Update find out which ones, and so does --refused.`;
		return finding('note', topic, text);
	}
	if (older === '') return finding('open', topic, 'no record shows it. --refused finds out.');
	return finding('ok', topic, `probably the older one, as in the contract, because of ${older}.`);
}

/** @param hasNone whether the account has no mid call tool at all */
function toolsShown({ assistants, tools }: Records, hasNone: boolean): Finding {
	const topic = 'Tools of assistants';
	const told = (outcome: Finding['outcome'], text: string) => finding(outcome, topic, text);
	if (!assistants.every((each) => Array.isArray(each['tools']))) {
		return told('problem', 'are no list. The Mid Call Tool Trigger cannot be published.');
	}
	if (tools.some(({ id }) => id !== undefined)) {
		return told('ok', 'they have IDs. The Mid Call Tool Trigger keeps them.');
	}
	const isSeen = tools.some(isBuiltIn);
	const shown = isSeen ? 'only built-in ones are shown, which stay' : 'none is shown';
	if (hasNone) return told('ok', `${shown}. The account has no mid call tool to lose.`);
	const text = `${shown}. Mid call tools may be attached all the same. Name them in the Mid Call Tool Trigger, in 'Other Tools of These Assistants': publishing takes off what is missing there.`;
	return told(isSeen ? 'note' : 'open', text);
}

function onlyCompleted({ assistants }: Records): Finding {
	const topic = 'Only completed calls';
	const isOn = assistants.some(({ send_webhook_only_on_completed: on }) => on === true || on === 1);
	if (!isOn) return finding('ok', topic, "off. 'Call Completed' starts for every call.");
	const text =
		"on for some assistants. 'Calls' of the Trigger decides: with 'All', publishing switches it off, and unpublishing puts it back.";
	return finding('note', topic, text);
}

/** No answer to a GET shows which of the two comes (public-service.md, Table 2: Inbound webhook). */
const INBOUND = finding(
	'note',
	'Inbound webhook',
	"only a call shows what comes there. If the service asks before the call, use 'Inbound Call Starting', and 'Call Completed' for calls that are over. If it reports finished calls, use 'Inbound Call Completed'. With the wrong one nothing starts, and n8n's log names the other.",
);
