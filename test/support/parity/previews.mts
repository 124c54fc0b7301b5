import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { root } from '../package.mts';

/** What n8n's editor shows as output of an operation before it has run, as far as it reads it. */
interface Preview {
	type: string | string[];
	properties?: Record<string, Preview>;
	items?: Preview;
}

const preview: z.ZodType<Preview> = z.lazy(() =>
	z
		.object({
			$comment: z.string().optional(),
			type: z.union([z.string(), z.array(z.string())]),
			properties: z.record(z.string(), preview).optional(),
			items: preview.optional(),
		})
		.strict(),
);

/** Where the previews lie in the package: by `<resource>/<operation>.json`. */
export const PREVIEWS = 'dist/nodes/VoiceAssistantCalling/__schema__/v1.0.0';

/**
 * The preview as a promise: an item has every field that it shows, and no other one. A preview cannot
 * say that the names of variables are the user's own, so these may have more.
 */
function promise({ type, properties, items }: Preview, name = ''): object {
	if (items) return { type, items: promise(items) };
	if (!properties) return { type };
	const names = Object.keys(properties);
	return {
		type,
		properties: Object.fromEntries(
			Object.entries(properties).map(([key, property]) => [key, promise(property, key)]),
		),
		required: names,
		additionalProperties: name === 'variables' || names.length === 0,
	};
}

/**
 * Compares an item with the output preview of its operation.
 *
 * @param name `<resource>/<operation>`
 * @returns what is different, in words; empty when nothing is
 */
export function previewViolations(name: string, item: unknown): string[] {
	const file = join(root, PREVIEWS, `${name}.json`);
	const shown = preview.parse(JSON.parse(readFileSync(file, 'utf8')));
	const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(promise(shown));
	if (validate(item)) return [];
	return (validate.errors ?? []).map(
		({ instancePath, message, params }) =>
			`${instancePath || 'item'} ${message} ${JSON.stringify(params)}`,
	);
}
