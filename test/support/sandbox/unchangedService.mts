import { afterAll, afterEach, beforeEach, expect } from '@jest/globals';
import { refusalViolations, sendRaw, stateOf, type RawResponse } from './raw.mts';
import { startService, type Service } from './service.mts';

/** A sandbox for all tests of a file: after each of them nothing has changed, and it is well. */
export async function startUnchangedService(): Promise<Service> {
	const service = await startService();
	let before: unknown;
	beforeEach(async () => {
		await service.reset();
		before = await stateOf(service);
	});
	afterEach(async () => {
		expect(await stateOf(service)).toEqual(before);
		expect((await service.control.request('GET', '/health')).status).toBe(200);
	});
	afterAll(() => service.close());
	return service;
}

/** Sends bytes as they are to this service; see {@link sendRaw}. */
export const rawTo =
	(service: Service) =>
	(
		method: string,
		path: string,
		body?: string | Buffer,
		headers?: Record<string, string>,
	): Promise<RawResponse> =>
		sendRaw(service, method, path, body, headers);

/** The answer has one of these statuses, and the service's error shape. */
export function expectRefused(what: string, answer: RawResponse, ...statuses: number[]): void {
	expect({ what, answer, violations: refusalViolations(answer, statuses) }).toMatchObject({ violations: [] });
}
