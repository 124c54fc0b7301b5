/**
 * `npm run generate` writes what is made from the contract, the numbering plans of libphonenumber, the nodes,
 * the examples and the assumptions, and is in git: see CONTRIBUTING.md.
 * With `--check` it writes nothing, names each file that is not as it should be, and exits with 1 when
 * there is one. A mistake in the YAML of the contract is one line, with the exit code 1.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from './generate/generate.mts';
import { reportYamlMistake } from './generate/reportYamlMistake.mts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

await reportYamlMistake(async () => {
	const stale = await generate(join(import.meta.dirname, '..'), check);
	for (const path of stale) {
		if (check) console.error(`${path} is stale: run npm run generate`);
		else console.log(path);
	}
	if (check && stale.length > 0) process.exitCode = 1;
});
