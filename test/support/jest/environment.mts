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

	constructor({ projectConfig }: JestEnvironmentConfig) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	getVmContext(): null {
		return null;
	}

	setup(): void {}

	teardown(): void {
		this.fakeTimersModern.dispose();
		this.moduleMocker.restoreAllMocks();
		globalThis.console = this.#console;
		process.exit = this.#exit;
	}
}
