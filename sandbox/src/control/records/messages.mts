import type { SandboxEngine } from '../../runtime/engine.mts';
import type { Sms } from '../../store/records.mts';
import { iso, text, type RecordKind } from './recordKind.mts';

const brief = (message: Sms, { state }: SandboxEngine) => ({
	...message,
	created_at: iso(message.created_at),
	updated_at: iso(message.updated_at),
	from: state.phoneNumbers.get(message.phone_number_id)?.phone_number ?? null,
});

/** SMS; there is no more about one than its row shows. */
export const messages: RecordKind<Sms> = {
	name: 'message',
	table: (state) => state.messages,
	filters: { to: text },
	searched: ['to'],
	brief,
	whole: brief,
};
