import { isObject } from './finding.mts';

type IsForm = (value: unknown, expected: string[]) => boolean;

const hasEach = (value: unknown, names: string[]): boolean =>
	Array.isArray(value) &&
	value.every((each) => isObject(each) && names.some((name) => name in each));

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** By the end of a path; the source is in public-service.md, at the place that is named. */
const FORMS: Array<[path: RegExp, isForm: IsForm]> = [
	// Built-in tools of an assistant (S1, S3).
	[/\.tools\[\]$/, (tool) => isObject(tool) && 'type' in tool && !('id' in tool)],
	// Table 1: empty-objects (S1, S9, S11), timestamp-form (S1, S2), number-form (S1), id-form (S9).
	[/./, (value, types) => types.includes('object') && Array.isArray(value) && value.length === 0],
	[/_at$/, (value) => TIME.test(String(value))],
	[/_cost$/, (value) => /^-?\d+(\.\d+)?$/.test(String(value))],
	[/[._]id$/, (value) => /^\d+$/.test(String(value))],
	// Assistant: fields of create and update, and the record (S1, S2).
	[/./, (value, types) => types.includes('boolean') && (value === 0 || value === 1)],
	[/\.(fillers|end_call_on_voicemail)$/, (value) => typeof value === 'boolean'],
	[/\.(language|min_interrupt_words)$/, (value) => value === null],
	[/\.mode$/, (value) => value === 'dualplex'],
	// Call record (S1, S4b, S9, S11), and Table 1: call-status-names (S2, S12a).
	[/\.transcript$/, (value) => hasEach(value, ['text', 'content'])],
	[/\.evaluation$/, (value) => hasEach(value, ['name'])],
	[/\.(answered_by|webhook_response|campaign_name|recording_url)$/, (value) => value === null],
	[/\.status$/, (value) => value === 'unanswered'],
];

/**
 * Whether public-service.md shows a value that does not fit the contract. The nodes read it.
 *
 * @param path such as `.tools[].id`
 * @param expected the types of the contract, if the value has another one
 */
export const isDocumentedForm = (path: string, value: unknown, expected: string[]): boolean =>
	FORMS.some(([end, isForm]) => end.test(path) && isForm(value, expected));
