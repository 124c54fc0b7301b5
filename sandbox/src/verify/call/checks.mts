import type { Check } from '../check.mts';
import { TIMELINE_CHECKS } from './timeline.mts';
import { TOOL_CHECKS } from './tool.mts';
import { WEBHOOK_CHECKS } from './webhook.mts';

/** Checks that look at one call to the user's own phone. */
export const CALL_CHECKS: readonly Check[] = [
	...TIMELINE_CHECKS,
	...WEBHOOK_CHECKS,
	...TOOL_CHECKS,
];
