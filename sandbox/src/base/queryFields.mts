import * as z from 'zod';

export const id = z.coerce.number().int().safe().min(1);

export const text = z.string().min(1);

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** How many records one page of a list has. */
export const pageSize = z.coerce
	.number()
	.int()
	.min(1)
	.max(500)
	.default(50)
	.describe('How many at most.');
