import type { Check } from './check.mts';

/** All checks, in the order in which they run. Each level adds its own list. */
export const CHECKS: readonly Check[] = [];
