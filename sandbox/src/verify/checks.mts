import { ADDRESS_CHECKS } from './address/checks.mts';
import type { Check } from './check.mts';
import { READ_CHECKS } from './read/checks.mts';
import { REFUSED_CHECKS } from './refused/checks.mts';

/** All checks, in the order in which they run. */
export const CHECKS: readonly Check[] = [...ADDRESS_CHECKS, ...READ_CHECKS, ...REFUSED_CHECKS];
