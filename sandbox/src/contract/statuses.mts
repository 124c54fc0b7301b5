import type { Schemas } from './schemas.mts';

/** Every status a lead can have. */
export const LEAD_STATUSES = [
	'created',
	'completed',
	'reached-max-retries',
] as const satisfies ReadonlyArray<Schemas['LeadStatus']>;

/** Every status a call can have, those that are final and those that are not. */
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

/** Who began a call, and how. */
export const CALL_TYPES = ['inbound', 'outbound', 'web'] as const satisfies ReadonlyArray<
	Schemas['CallType']
>;
