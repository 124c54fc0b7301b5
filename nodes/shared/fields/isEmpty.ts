/** Whether a field has no value. An expression with a missing or empty cell gives one of these. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || value === '';
