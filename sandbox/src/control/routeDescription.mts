import * as z from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

interface RouteInput {
	body?: z.ZodType;
	/** Bodies that it accepts; the reference page begins with the first. */
	examples?: object[];
	query?: z.ZodType;
	params?: z.ZodType;
}

const toSchema = (input: z.ZodType) =>
	zodToJsonSchema(input, { target: 'jsonSchema7', $refStrategy: 'none', pipeStrategy: 'input' });

/** A route for the description of the control API. The route itself checks what it takes. */
export const described = (
	summary: string,
	{ body, examples = [{}], query, params }: RouteInput = {},
) => ({
	schema: {
		summary,
		...(body && { body: { ...toSchema(body), examples } }),
		...(query && { querystring: toSchema(query) }),
		...(params && { params: toSchema(params) }),
	},
});

/** The ID in a path. */
export const idOf = (what: string) => z.object({ id: z.string().describe(`ID of the ${what}.`) });

/** A route that the description leaves out, because it is no part of the API. */
export const HIDDEN = { schema: { hide: true } };
