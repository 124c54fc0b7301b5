import type { Field } from '../../fields/routing';

/** Stands in front of the lists of an update. @param lists their labels */
export const replacingNotice = (lists: string, record: string): Field => ({
	displayName: `What you enter under ${lists} replaces everything that the ${record} has there. Enter again what you want to keep.`,
	name: 'replacingNotice',
	type: 'notice',
	default: '',
});
