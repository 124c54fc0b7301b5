import { takeCoverage } from 'node:v8';
import type { JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Runs test files with Node's own globals, and puts back those that jest and the tests replace. */
export default class NodeEnvironment {
	readonly global = globalThis;
	readonly fakeTimersModern: ModernFakeTimers;
	readonly moduleMocker = new ModuleMocker(globalThis);
	readonly #console = globalThis.console;
	readonly #exit = process.exit.bind(process);
	readonly #now = Date.now;
	readonly #setTimeout = globalThis.setTimeout;

	constructor({ projectConfig }: JestEnvironmentConfig) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	getVmContext(): null {
		return null;
	}

	setup(): void {}

	/** After the tests of a file, jest reads from the clock how long they took: next time the slowest begin. */
	handleTestEvent({ name }: { name: string }): void {
		if (name !== 'run_finish') return;
		this.#restore();
		// The next files of this worker would wait for a clock that stands still.
		if (Date.now !== this.#now || globalThis.setTimeout !== this.#setTimeout) {
			throw new Error('This test file did not put the clock back.');
		}
	}

	teardown(): void {
		this.#restore();
		globalThis.console = this.#console;
		process.exit = this.#exit;
		// For `npm run coverage`: jest can end a worker before Node writes what was run.
		takeCoverage();
	}

	#restore(): void {
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
	}
}
