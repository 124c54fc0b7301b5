import type { RecordKind } from '../contract/assumptionFormat.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import { providerCall, providerNotification } from './callRecord.mts';
import {
	isFields,
	providerField,
	providerList,
	withOthers,
	without,
	type Fields,
} from './values.mts';

/** Fields that hold records of another kind. */
const INNER_RECORDS: { [kind in RecordKind]?: { [field: string]: RecordKind } } = {
	lead: { campaign: 'campaign', secondary_contacts: 'lead' },
	assistant: { tools: 'tool' },
	notification: { lead: 'lead', campaign: 'campaign' },
};

/** What only some kinds have. */
const OWN_CHANGES: {
	[kind in RecordKind]?: (record: Fields, assumptions: Assumptions) => Fields;
} = { call: providerCall, notification: providerNotification, tool: providerTool };

const MASKED = '********';

const NULLS = { nulls: null, texts: '', words: 'N/A' };

/** A record as the provider shows it, with the records in it (assumption: null-form). */
export function providerRecord(kind: RecordKind, given: Fields, assumptions: Assumptions): Fields {
	const record = OWN_CHANGES[kind]?.(given, assumptions) ?? given;
	const fields = Object.entries(record).map(([name, value]) => {
		const inner = INNER_RECORDS[kind]?.[name];
		// A delivery says with null that the call has no lead.
		if (value === null && kind !== 'notification') {
			return [name, NULLS[assumptions['null-form']]] as const;
		}
		return [
			name,
			inner ? innerRecords(inner, value, assumptions) : providerField(name, value, assumptions),
		] as const;
	});
	const shown = withOthers(Object.fromEntries(fields), assumptions['extra-fields'][kind]);
	return without(shown, assumptions['missing-fields'][kind]);
}

function innerRecords(kind: RecordKind, value: unknown, assumptions: Assumptions): unknown {
	if (Array.isArray(value)) {
		const records = value.map((item) => innerRecords(kind, item, assumptions));
		return providerList(records, assumptions);
	}
	return isFields(value) ? providerRecord(kind, value, assumptions) : value;
}

/** A tool (assumptions: tool-headers-form). */
function providerTool(tool: Fields, { 'tool-headers-form': form }: Assumptions): Fields {
	if (form === 'absent') return without(tool, ['headers']);
	const headers = tool['headers'];
	if (form === 'shown' || !Array.isArray(headers)) return tool;
	return {
		...tool,
		headers: headers.map((header: object) => ({ ...header, value: MASKED })),
	};
}
