import { asAssumed, differs, notChecked, readCheck } from '../check.mts';
import { isSafeName, safeNames } from '../describe.mts';
import type { Run } from '../run.mts';
import { callList, calls } from './lists.mts';
import type { Row } from './page.mts';
import { READ_KINDS, recordsByKind, type ReadKind } from './records.mts';
import { recordSchemas } from './schemas.mts';

const NO_RECORDS = 'The account has no records.';

/** Fields that the contract does not describe, and that belong to no difference all the same. */
const KNOWN_BESIDES: { [kind in ReadKind]?: string[] } = { campaign: ['status'] };

/** Fields of tools that another assumption is about (assumptions: tool-headers-form). */
const MAY_BE_MISSING: { [kind in ReadKind]?: string[] } = { tool: ['headers'] };

/** A value of the same type that says nothing of the account. */
function neutral(value: unknown): unknown {
	if (Array.isArray(value)) return [];
	switch (typeof value) {
		case 'string':
			return '';
		case 'number':
			return 0;
		case 'boolean':
			return false;
		default:
			return value === null ? null : {};
	}
}

const withSafeNames = (fields: Row): Row =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => isSafeName(name)));

const namesByKind = (byKind: { [kind: string]: Iterable<string> }): string =>
	Object.entries(byKind)
		.map(([kind, names]) => `${kind}: ${safeNames(names)}`)
		.join('; ');

/** What is not empty. */
const present = <Part,>(byKind: Array<[kind: string, part: Part]>, size: (part: Part) => number) =>
	Object.fromEntries(byKind.filter(([, part]) => size(part) > 0));

const extraFields = readCheck(
	'extra-fields',
	'no fields beyond the described ones',
	async (run, expected) => {
		const [records, schemas] = [await recordsByKind(run), await recordSchemas(run)];
		if (READ_KINDS.every((kind) => records[kind].length === 0)) {
			return notChecked(expected, NO_RECORDS);
		}
		const extra = READ_KINDS.map((kind): [string, Row] => {
			const isKnown = (name: string): boolean =>
				schemas[kind].fields.has(name) || (KNOWN_BESIDES[kind] ?? []).includes(name);
			const fields = records[kind].flatMap((record) => Object.entries(record));
			const unknown = fields.filter(([name]) => !isKnown(name));
			return [kind, Object.fromEntries(unknown.map(([name, value]) => [name, neutral(value)]))];
		});
		const byKind = present(extra, (fields) => Object.keys(fields).length);
		if (Object.keys(byKind).length === 0) return asAssumed(expected);
		const names = Object.entries(byKind).map(
			([kind, fields]) => [kind, Object.keys(fields)] as const,
		);
		return differs(expected, namesByKind(Object.fromEntries(names)), {
			value: Object.fromEntries(
				Object.entries(byKind).map(([kind, fields]) => [kind, withSafeNames(fields)]),
			),
			advice: 'The nodes pass them on. The values in provider.yaml only have the same type.',
		});
	},
);

/** Which required fields no record has. */
function missing(required: string[], records: Row[]): string[] {
	if (records.length === 0) return [];
	return required.filter((name) => records.every((record) => !(name in record)));
}

async function missingByKind(run: Run) {
	const [records, schemas] = [await recordsByKind(run), await recordSchemas(run)];
	const { page } = await callList(run);
	const required = page.envelope === 'bare' ? [] : schemas.page.required;
	const byKind = READ_KINDS.map((kind): [string, string[]] => {
		const names = missing(schemas[kind].required, records[kind]);
		return [kind, names.filter((name) => !(MAY_BE_MISSING[kind] ?? []).includes(name))];
	});
	return present([['page', missing(required, [page.fields])], ...byKind], ({ length }) => length);
}

/** Without them, a trigger cannot see whether an assistant's webhook is taken. The first ones to tell. */
const WEBHOOK_URLS = ['webhook_url', 'inbound_webhook_url'];

const EMPTY_FIELDS = 'In the output of the nodes these fields are empty.';

const HIDDEN_WEBHOOKS =
	"A trigger cannot see whether another system has the assistant's webhook: it publishes only with Replace Existing Webhook, which disconnects that system, and nobody can put its URL back.";

const missingFields = readCheck('missing-fields', 'all described fields', async (run, expected) => {
	const value = await missingByKind(run);
	if (Object.keys(value).length === 0) return asAssumed(expected);
	return differs(expected, `missing of ${namesByKind(value)}`, {
		value,
		advice: value['assistant']?.some((name) => WEBHOOK_URLS.includes(name))
			? `${HIDDEN_WEBHOOKS} ${EMPTY_FIELDS}`
			: EMPTY_FIELDS,
	});
});

const OPTIONAL = ['campaign_name', 'recording_url'];

const callOptionalFields = readCheck(
	'call-optional-fields',
	`${OPTIONAL.join(' and ')} are absent when they do not apply`,
	async (run, expected) => {
		const rows = await calls(run);
		const names = OPTIONAL.filter((name) => rows.some((row) => row[name] === null));
		if (names.length > 0) {
			const advice = 'In the output of the nodes, null is null, and an absent field is absent.';
			return differs(expected, `null (${names.join(', ')})`, { value: 'nulls', advice });
		}
		const isAbsent = rows.some((row) => OPTIONAL.some((name) => !(name in row)));
		return isAbsent ? asAssumed(expected) : notChecked(expected, 'No call lacks one of them.');
	},
);

export const RECORD_FIELD_CHECKS = [extraFields, missingFields, callOptionalFields];
