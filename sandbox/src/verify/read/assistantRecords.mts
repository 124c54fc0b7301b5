import {
	asAssumed,
	differs,
	notChecked,
	otherForm,
	readCheck,
	type Check,
	type Finding,
} from '../check.mts';
import { isObject, safeNames, typeName } from '../describe.mts';
import { assistants } from './lists.mts';
import { orderCheck } from './order.mts';
import type { Row } from './page.mts';

const NO_ASSISTANTS = 'The account has no assistants.';

const assistantOrder: Check = orderCheck({
	key: 'assistant-order',
	assumed: 'oldest-first',
	rows: assistants,
	isBefore: (one, other) => Number(one['id']) - Number(other['id']),
	advice: 'The pickers sort the assistants themselves.',
	isRead: true,
});

/** A check that looks at the fields of all assistants. */
const recordCheck = (
	key: string,
	expected: string,
	look: (rows: Row[], expected: string) => Finding,
) =>
	readCheck(key, expected, async (run) => {
		const rows = await assistants(run);
		return rows.length === 0 ? notChecked(expected, NO_ASSISTANTS) : look(rows, expected);
	});

/** The names of fields that some assistant has, and that `isWanted` is true for. */
const fieldsWith = (rows: Row[], isWanted: (name: string, value: unknown) => boolean): string[] => [
	...new Set(
		rows.flatMap((row) =>
			Object.entries(row).flatMap(([name, value]) => (isWanted(name, value) ? name : [])),
		),
	),
];

/** Fields of create and update that the record has under another name. */
const WRITTEN_NAMES = [
	'assistant_name',
	'calls_direction',
	'engine_type',
	'record_call',
	'noise_cancellation',
	'filler_audios',
	'max_call_duration',
	're_engagement_interval',
	'who_speaks_first',
];

const recordNames = recordCheck(
	'assistant-record-names',
	'the record has names of its own, such as `name`',
	(rows, expected) => {
		const written = fieldsWith(rows, (name) => WRITTEN_NAMES.includes(name));
		if (written.length === 0) return asAssumed(expected);
		return differs(expected, `the names of the request too: ${safeNames(written)}`);
	},
);

const WRITE_ONLY = ['llm_model', 'use_min_interrupt_words', 'end_call_tool'];

const writeOnly = recordCheck(
	'assistant-write-only',
	`the record has no ${WRITE_ONLY.join(', ')}`,
	(rows, expected) => {
		const shown = fieldsWith(rows, (name) => WRITE_ONLY.includes(name));
		return shown.length === 0 ? asAssumed(expected) : differs(expected, safeNames(shown));
	},
);

/** Fields that no request sets. */
const UNWRITTEN = [
	...['engine_id', 'synthesizer_id', 'transcriber_id', 'instance_id', 'flows_platform_id'],
	...['language_id', 'transcriber_provider_id', 'synthesizer_provider_id', 'llm_model_id'],
	...['multimodal_model_id', 'knowledgebase_id', 'ambient_sound', 'knowledgebase_mode'],
	...['deleted_at', 'widget_settings', 'filler_config'],
];

const isUnset = (value: unknown): boolean =>
	value === null ||
	(typeof value === 'object' &&
		Object.values(value).every((each) => Array.isArray(each) && each.length === 0));

const unwritten = recordCheck(
	'assistant-record-unwritten',
	'fields that no request sets are null or empty',
	(rows, expected) => {
		const set = fieldsWith(rows, (name, value) => UNWRITTEN.includes(name) && !isUnset(value));
		if (set.length === 0) return asAssumed(expected);
		return otherForm(expected, `${safeNames(set)} hold something`, {
			advice: 'The nodes pass these fields on as they are.',
		});
	},
);

const assistantTools = recordCheck(
	'assistant-tools',
	'`tools` has the records of the tools',
	(rows, expected) => {
		const tools = rows.flatMap((row) =>
			Array.isArray(row['tools']) ? (row['tools'] as unknown[]) : [],
		);
		if (tools.length === 0) return notChecked(expected, 'No assistant has a tool.');
		const other = tools.find((tool) => !isObject(tool) || !('id' in tool));
		if (other === undefined) return asAssumed(expected);
		return differs(expected, typeName(other), {
			advice:
				'The mid call tool trigger cannot see which tools an assistant has, and refuses to publish. Please open a provider report.',
		});
	},
);

export const ASSISTANT_RECORD_CHECKS = [
	assistantOrder,
	recordNames,
	writeOnly,
	unwritten,
	assistantTools,
];
