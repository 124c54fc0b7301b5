import { statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const replaced: Record<string, string> = {
	'@jest/globals': new URL('globals.mts', import.meta.url).href,
	// n8n-core and the package require the CommonJS build: tests import the same one.
	'n8n-workflow': pathToFileURL(createRequire(import.meta.url).resolve('n8n-workflow')).href,
};

/** A test imports shipped code from its source, for its types, and runs the compiled file that ships. */
const SHIPPED_SOURCE = /^(?:\.\.\/)+((?:nodes|credentials)\/.+)\.ts$/;

const root = new URL('../../../', import.meta.url);
const modified = (url: URL): number => statSync(fileURLToPath(url)).mtimeMs;

/** @throws Error when the source has changed since it was compiled */
function compiledFile(name: string): string {
	const compiled = new URL(`dist/${name}.js`, root);
	if (modified(new URL(`${name}.ts`, root)) > modified(compiled)) {
		throw new Error(
			`${name}.ts has changed since the last build. Use npm test, which builds first.`,
		);
	}
	return compiled.href;
}

registerHooks({
	resolve(specifier, context, nextResolve) {
		const [, name] = SHIPPED_SOURCE.exec(specifier) ?? [];
		const url = name === undefined ? replaced[specifier] : compiledFile(name);
		return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
	},
});
