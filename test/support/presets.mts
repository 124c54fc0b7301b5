import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { filesMatching, root } from './package.mts';

/** The values of a preset that a test of the nodes needs. */
const values = z.object({
	'assistant-order': z.string().optional(),
	'list-assistants-path': z.string().optional(),
	'list-campaigns-path': z.string().optional(),
	'call-status-names': z.record(z.string(), z.string()).default({}),
	'extra-fields': z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
	'tool-headers-form': z.string().optional(),
	'page-envelope': z.string().default('flat'),
	'missing-fields': z.record(z.string(), z.array(z.string())).default({}),
});

/** A provider that differs, as the sandbox can behave. */
export interface Preset {
	name: string;
	/** For the sandbox's `assumeFile`. */
	file: string;
	values: z.infer<typeof values>;
}

/** The files of sandbox/presets/. */
export const PRESETS: Preset[] = filesMatching('sandbox/presets/*.yaml').map((path) => {
	const file = join(root, path);
	return {
		name: basename(path, '.yaml'),
		file,
		values: values.parse(parse(readFileSync(file, 'utf8'))),
	};
});
