import type { ModernFakeTimers } from '@jest/fake-timers';
import type * as JestGlobals from '@jest/globals';
import type { ModuleMocker } from 'jest-mock';

/** The functions that declare and check tests. Each test file has its own. */
export type TestFunctions = Pick<
	typeof JestGlobals,
	'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it'
>;

/** The methods of the `jest` object that the tests use. */
interface Jest {
	advanceTimersByTimeAsync: ModernFakeTimers['advanceTimersByTimeAsync'];
	restoreAllMocks: ModuleMocker['restoreAllMocks'];
	setTimerTickMode: ModernFakeTimers['setTimerTickMode'];
	spyOn: ModuleMocker['spyOn'];
	useFakeTimers: ModernFakeTimers['useFakeTimers'];
	useRealTimers: ModernFakeTimers['useRealTimers'];
}

/*
 * This module replaces `@jest/globals` (see resolve.mts). Test files share the modules that they import.
 * Because an import follows its variable, such a module calls the functions of the file that runs.
 */
export let afterAll: TestFunctions['afterAll'];
export let afterEach: TestFunctions['afterEach'];
export let beforeAll: TestFunctions['beforeAll'];
export let beforeEach: TestFunctions['beforeEach'];
export let describe: TestFunctions['describe'];
export let expect: TestFunctions['expect'];
export let it: TestFunctions['it'];
export let jest: Jest;

/** Sets the exports for the test file that runs next. */
export function setGlobals(
	functions: TestFunctions,
	mocker: ModuleMocker,
	timers: ModernFakeTimers,
): void {
	({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } = functions);
	jest = {
		advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
		restoreAllMocks: () => mocker.restoreAllMocks(),
		setTimerTickMode: (mode) => timers.setTimerTickMode(mode),
		spyOn: mocker.spyOn.bind(mocker),
		useFakeTimers: (config) => timers.useFakeTimers(config),
		useRealTimers: () => timers.useRealTimers(),
	};
}
