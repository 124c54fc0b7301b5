import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { root } from '../package.mts';

/** The part of an output preview that n8n's editor reads. It shows the preview before an operation has run. */
interface Preview {
	type: string | string[];
	properties?: Record<string, Preview>;
	items?: Preview;
}

const preview: z.ZodType<Preview> = z.lazy(() =>
	z
		.object({
			type: z.union([z.string(), z.array(z.string())]),
			properties: z.record(z.string(), preview).optional(),
			items: preview.optional(),
		})
		.strict(),
);

/** The folder of the previews: `<resource>/<operation>.json`. */
export const PREVIEWS = 'dist/nodes/VoiceAssistantCalling/__schema__/v1.0.0';

/**
 * The preview as a strict schema: an item has every field of the preview, and no other. Users choose the
 * names of variables, so `variables` may have more.
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

/** Compares an item with the output preview of its operation, `<resource>/<operation>`. */
export const previewViolations = (name: string, item: unknown): string[] =>
	violations(`${PREVIEWS}/${name}.json`, item);

/**
 * Compares an item with an output preview.
 *
 * @param file path of the preview in the repository
 * @returns a message for each difference
 */
export function violations(file: string, item: unknown): string[] {
	const shown = preview.parse(JSON.parse(readFileSync(join(root, file), 'utf8')));
	const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(promise(shown));
	if (validate(item)) return [];
	return (validate.errors ?? []).map(
		({ instancePath, message, params }) =>
			`${instancePath || 'item'} ${message} ${JSON.stringify(params)}`,
	);
}
