import type * as z from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

/** What a route takes. */
interface Taken {
	body?: z.ZodType;
	query?: z.ZodType;
}

const toSchema = (input: z.ZodType) =>
	zodToJsonSchema(input, { target: 'jsonSchema7', $refStrategy: 'none', pipeStrategy: 'input' });

/** A route for the description of the control API. The route itself checks what it takes. */
export const described = (summary: string, { body, query }: Taken = {}) => ({
	schema: {
		summary,
		...(body && { body: toSchema(body) }),
		...(query && { querystring: toSchema(query) }),
	},
});

/** A route that the description leaves out, because it is no part of the API. */
export const HIDDEN = { schema: { hide: true } };
