import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The `npm` that n8n runs in this suite (see tarball.mts). Its installer gets the packed package
 * from here, because the registry does not have this version yet. The real npm does everything else.
 *
 * Called with --name, --version, --tarball and --npm, then npm's own arguments after `--`.
 */
const { values, positionals } = parseArgs({
	options: {
		name: { type: 'string', default: '' },
		version: { type: 'string', default: '' },
		tarball: { type: 'string', default: '' },
		npm: { type: 'string', default: '' },
	},
	allowPositionals: true,
});
const [command = '', subject = ''] = positionals;
const isOurs = subject === `${values.name}@${values.version}`;

if (command === 'view' && isOurs) {
	console.log(JSON.stringify(values.version));
} else if (command === 'pack' && isOurs) {
	const file = basename(values.tarball);
	copyFileSync(values.tarball, file);
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
