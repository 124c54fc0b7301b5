import NodeEnvironment from '../support/jest/environment.mts';

/** What the instrumented package reads. Stryker's jest-runner names the mutant to the process only. */
const shared = globalThis as { __stryker__?: { activeMutant?: string | undefined } };

let mutant: string | undefined;
let isFound = false;

/** Turns a mutant on in a package that Node has loaded before, and ends its tests at the first that fails. */
export default class MutantEnvironment extends NodeEnvironment {
	override setup(): void {
		const next = process.env.__STRYKER_ACTIVE_MUTANT__;
		(shared.__stryker__ ??= {}).activeMutant = next;
		if (next !== mutant) isFound = false;
		mutant = next;
	}

	override handleTestEvent(event: { name: string; test?: { mode?: string | null } }): void {
		if (event.name === 'test_fn_failure') isFound = true;
		if (event.name === 'test_start' && isFound && event.test) event.test.mode = 'skip';
		super.handleTestEvent(event);
	}
}
