import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const change = z.strictObject({
	/** what the broken package does */
	what: z.string(),
	/** of what ships: the copies share the rest by links, so a change of it would be one of this checkout */
	file: z.string().regex(/^(nodes|credentials)\//),
	/** text that the file contains exactly once */
	from: z.string(),
	to: z.string(),
	/** the test that must fail, with its full name as jest reports it */
	test: z.string(),
});

/** A change that breaks the package, and the test of the fast suite that must fail. */
export type Mutation = z.infer<typeof change> & { testFile: string };

const list = readFileSync(new URL('mutations.yaml', import.meta.url), 'utf8');

export const MUTATIONS: Mutation[] = Object.entries(
	z.record(z.string(), z.array(change)).parse(parse(list)),
).flatMap(([testFile, changes]) => changes.map((one) => ({ ...one, testFile })));

/** The first mutation of each test file. */
export const FIRST_MUTATIONS = MUTATIONS.filter(
	({ testFile }, index) => MUTATIONS[index - 1]?.testFile !== testFile,
);

/**
 * Breaks a source.
 *
 * @param source text of the mutation's file
 * @throws Error when the source does not contain the text exactly once
 */
export function mutateSource(source: string, { file, from, to }: Mutation): string {
	const found = source.split(from).length - 1;
	if (found !== 1) throw new Error(`${file} contains this text ${found} times, not once: ${from}`);
	return source.replace(from, () => to);
}
