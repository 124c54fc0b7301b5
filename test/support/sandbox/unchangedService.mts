import { afterEach, beforeEach, expect } from '@jest/globals';
import { refusalViolations, sendRaw, stateOf, type RawResponse } from './raw.mts';
import { startTestService } from './testService.mts';

/**
 * A sandbox for all tests of a file. After each test its data are unchanged and it still responds.
 * @returns the service, and `raw`, which sends bytes to it as they are
 */
export async function startUnchangedService() {
	const service = await startTestService();
	let before: unknown;
	beforeEach(async () => {
		before = await stateOf(service);
	});
	afterEach(async () => {
		expect(await stateOf(service)).toEqual(before);
		expect((await service.control.request('GET', '/health')).status).toBe(200);
	});
	return { service, raw: sendRaw.bind(undefined, service) };
}

/** The response has one of these statuses, and the service's error shape. */
export function expectRefused(what: string, response: RawResponse, ...statuses: number[]): void {
	expect({ what, response, violations: refusalViolations(response, statuses) }).toMatchObject({
		violations: [],
	});
}
