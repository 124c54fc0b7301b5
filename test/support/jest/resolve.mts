import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const replaced: Record<string, string> = {
	'@jest/globals': new URL('globals.mts', import.meta.url).href,
	// n8n-core and the package require the CommonJS build: tests import the same one.
	'n8n-workflow': pathToFileURL(createRequire(import.meta.url).resolve('n8n-workflow')).href,
};

/** A test imports shipped code from its source, for its types, and runs the compiled file that ships. */
const SHIPPED_SOURCE = /^(?:\.\.\/)+((?:nodes|credentials)\/.+)\.ts$/;

const dist = new URL('../../../dist/', import.meta.url);

registerHooks({
	resolve(specifier, context, nextResolve) {
		const [, name] = SHIPPED_SOURCE.exec(specifier) ?? [];
		const url = name === undefined ? replaced[specifier] : new URL(`${name}.js`, dist).href;
		return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
	},
});
