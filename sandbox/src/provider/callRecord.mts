import { DateTime } from 'luxon';

import type { Assumptions } from '../contract/assumptions.mts';
import { CALL_STATUSES } from '../contract/statuses.mts';
import { timestamp, withOthers, type Fields } from './values.mts';

/** Fields of a call that are there only when they apply. */
const OPTIONAL = ['campaign_name', 'recording_url'];
const TEXTS = ['assistant_phone_number', 'client_phone_number', 'transcript'];

/** A record of the list of calls (assumptions: call-optional-fields, call-empty-values). */
export function providerCall(call: Fields, assumptions: Assumptions): Fields {
	const optional = assumptions['call-optional-fields'] === 'nulls' ? OPTIONAL : [];
	const empty =
		assumptions['call-empty-values'] === 'nulls' ? TEXTS.filter((name) => call[name] === '') : [];
	return withOthers({ ...callWords(call, assumptions), ...nulls(empty) }, nulls(optional));
}

const nulls = (names: string[]): Fields => Object.fromEntries(names.map((name) => [name, null]));

/** Status and transcript of a call, which its webhooks have too (assumptions: call-status-names, transcript-form). */
function callWords(call: Fields, assumptions: Assumptions): Fields {
	const names = assumptions['call-status-names'];
	const status = CALL_STATUSES.find((each) => each === call['status']);
	return {
		...call,
		status: (status && names[status]) ?? call['status'],
		...(assumptions['transcript-form'] === 'turns' && {
			transcript: turns(String(call['transcript'])),
		}),
	};
}

/** The call in a webhook, whose times are in ISO 8601 where those of records are as in the contract (assumption: timestamp-form). */
export function providerNotification(call: Fields, assumptions: Assumptions): Fields {
	const words = callWords(call, assumptions);
	const fields = Object.entries(words).map(([name, value]): [string, unknown] => {
		if (!name.endsWith('_at') || typeof value !== 'string') return [name, value];
		const time = DateTime.fromISO(value, { zone: 'UTC' });
		return [name, timestamp(time, assumptions['timestamp-form']) ?? value];
	});
	return Object.fromEntries(fields);
}

const SPOKEN = /^(Assistant|Customer): /;

function turns(transcript: string): Array<{ role: string; content: string }> {
	const lines = transcript.split('\n').filter((line) => line !== '');
	return lines.map((line) => ({
		role: SPOKEN.exec(line)?.[1]?.toLowerCase() ?? 'tool',
		content: line.replace(SPOKEN, ''),
	}));
}
