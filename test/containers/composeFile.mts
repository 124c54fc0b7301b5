import { execa } from 'execa';
import { parse } from 'yaml';
import * as z from 'zod';

import { ROOT } from '../../host/n8n/npmPack.mts';

/** docker-compose shows a dollar as it is written: twice. */
const words = z.array(z.string().transform((word) => word.replaceAll('$$', '$'))).default([]);

const service = z.object({
	build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
	command: words,
	entrypoint: words,
	environment: z.record(z.string(), z.string()).default({}),
	hostname: z.string().optional(),
	image: z.string().optional(),
	volumes: z.array(z.string()).default([]),
});
const format = z.object({
	services: z.object({ n8n: service, package: service, sandbox: service }),
});

export type ComposeFile = z.output<typeof format>['services'];

/**
 * compose.yaml as docker-compose reads it, which checks it against the compose specification.
 *
 * @throws Error with what is wrong in it
 */
export async function readComposeFile(): Promise<ComposeFile> {
	const { stdout } = await execa('docker-compose', ['config'], { cwd: ROOT });
	return format.parse(parse(stdout)).services;
}
