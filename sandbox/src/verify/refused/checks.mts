import type { Check } from '../check.mts';
import { BODY_CHECKS } from './bodies.mts';
import { RECORD_CHECKS } from './records.mts';

/** The checks that send requests which have to be refused. */
export const REFUSED_CHECKS: readonly Check[] = [...BODY_CHECKS, ...RECORD_CHECKS];
