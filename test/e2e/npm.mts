import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The `npm` that n8n runs in this suite (see tarball.mts). Its installer gets the packed package
 * from here, because the registry does not have this version yet. The real npm does everything else.
 *
 * Called with --tarballs and --npm, then npm's own arguments after `--`.
 */
const { values, positionals } = parseArgs({
	options: {
		tarballs: { type: 'string', default: '' },
		npm: { type: 'string', default: '' },
	},
	allowPositionals: true,
});
const [command = '', subject = ''] = positionals;
const [name = '', version = ''] = subject.split('@');
const file = `${name}-${version}.tgz`;
const isOurs = existsSync(join(values.tarballs, file));

if (command === 'view' && isOurs) {
	console.log(JSON.stringify(version));
} else if (command === 'pack' && isOurs) {
	copyFileSync(join(values.tarballs, file), file);
	console.log(file);
} else if (command === 'outdated') {
	// n8n asks for updates whenever it lists packages.
	console.log('{}');
} else {
	const { status } = spawnSync(process.execPath, [values.npm, ...positionals], {
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
}
