// Loads all nodes and credentials of a package, on whatever Node runs this: no newer syntax, no dependencies.

const { join, resolve } = require('path');
const { argv, stdout, version } = require('process');

const folder = resolve(argv[2]);
const { n8n } = require(join(folder, 'package.json'));

for (const file of [...n8n.credentials, ...n8n.nodes]) {
	const [type] = Object.values(require(join(folder, file))).map((Type) => new Type());
	const { displayName } = type.description || type;
	if (!displayName) throw new Error(`${file} has no name.`);
	stdout.write(`${displayName} loads on Node ${version}.\n`);
}
