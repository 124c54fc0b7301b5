import type { Check } from '../check.mts';
import { ASSISTANT_RECORD_CHECKS } from './assistantRecords.mts';
import { CALL_RECORD_CHECKS } from './callRecords.mts';
import { CALL_STATUS_CHECKS } from './callStatuses.mts';
import { FIELD_FORM_CHECKS } from './fieldForms.mts';
import { PAGING_CHECKS } from './paging.mts';
import { PATH_CHECKS } from './paths.mts';
import { RECORD_FIELD_CHECKS } from './recordFields.mts';
import { REQUEST_CHECKS } from './requests.mts';
import { TIME_ZONE_CHECKS } from './timeZone.mts';

/** The checks that only read. */
export const READ_CHECKS: readonly Check[] = [
	...REQUEST_CHECKS,
	...PATH_CHECKS,
	...PAGING_CHECKS,
	...FIELD_FORM_CHECKS,
	...RECORD_FIELD_CHECKS,
	...CALL_STATUS_CHECKS,
	...CALL_RECORD_CHECKS,
	...ASSISTANT_RECORD_CHECKS,
	...TIME_ZONE_CHECKS,
];
