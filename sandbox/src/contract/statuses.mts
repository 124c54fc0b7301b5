import type { Schemas } from './schemas.mts';

export const LEAD_STATUSES = [
	'created',
	'completed',
	'reached-max-retries',
] as const satisfies ReadonlyArray<Schemas['LeadStatus']>;

export const CALL_STATUSES = [
	'initiated',
	'ringing',
	'busy',
	'in-progress',
	'ended',
	'completed',
	'ended_by_customer',
	'ended_by_assistant',
	'no-answer',
	'failed',
] as const satisfies ReadonlyArray<Schemas['CallStatus']>;

export const CALL_TYPES = ['inbound', 'outbound', 'web'] as const satisfies ReadonlyArray<
	Schemas['CallType']
>;
