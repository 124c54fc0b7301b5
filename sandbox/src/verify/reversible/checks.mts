import type { Check } from '../check.mts';
import { INBOUND_WEBHOOK_CHECKS } from './inboundWebhook.mts';
import { LEAD_CHECKS } from './lead.mts';
import { SUCCESS_STATUS_CHECKS } from './successStatus.mts';
import { TOOL_CHECKS } from './tool.mts';
import { WEBHOOK_CHECKS } from './webhook.mts';

/** Checks that change something, and restore it. */
export const REVERSIBLE_CHECKS: readonly Check[] = [
	...WEBHOOK_CHECKS,
	...INBOUND_WEBHOOK_CHECKS,
	...TOOL_CHECKS,
	...LEAD_CHECKS,
	...SUCCESS_STATUS_CHECKS,
];
