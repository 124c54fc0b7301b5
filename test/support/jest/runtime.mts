import {
	createRequire,
	enableCompileCache,
	flushCompileCache,
	getCompileCacheDir,
} from 'node:module';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { setGlobals, type TestFunctions } from './globals.mts';
import type NodeEnvironment from './environment.mts';
import './resolve.mts';

const require = createRequire(import.meta.url);

// This process, and those that tests start, load modules faster with compiled code of an earlier run.
enableCompileCache();
process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir();

// `.ci/run` draws the same values for each change, so that a test which fails has that change as its cause.
const seed = process.env.PROPERTY_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// Jest ends a worker by force, with a warning, half a second after its work. Node can take longer to free all that
// n8n-core and the tests have in memory; the system frees it at once. A test that leaves something open still shows.
if (process.send) process.once('beforeExit', () => process.kill(process.pid, 'SIGKILL'));

/**
 * Runs test files in Node itself: a worker loads each module once. jest's own runtime loads all modules
 * again for every test file, and n8n-core alone takes longer than the tests of most files.
 *
 * The test files of a worker share modules, so no module may keep what another file can notice.
 *
 * The methods are those that jest 30 and jest-circus call.
 */
export default class NodeRuntime {
	readonly #environment: NodeEnvironment;

	constructor(_config: unknown, environment: NodeEnvironment) {
		this.#environment = environment;
	}

	/** Loads jest-circus again, because it collects the tests of one file. */
	requireInternalModule(path: string): unknown {
		Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
		Reflect.deleteProperty(require.cache, path);
		return require(path);
	}

	setGlobalsForRuntime(functions: TestFunctions): void {
		const { moduleMocker, fakeTimersModern } = this.#environment;
		setGlobals(functions, moduleMocker, fakeTimersModern);
	}

	requireModule(path: string): unknown {
		return require(path);
	}

	unstable_shouldLoadAsEsm(): boolean {
		return true;
	}

	async unstable_importModule(path: string): Promise<void> {
		await import(pathToFileURL(path).href);
	}

	getSourceMaps(): null {
		return null;
	}

	getAllCoverageInfoCopy(): undefined {}
	enterTestCode(): void {}
	leaveTestCode(): void {}

	/** Stores the compiled code now, because it takes longer than jest waits for the end of a worker. */
	teardown(): void {
		flushCompileCache();
	}
}
