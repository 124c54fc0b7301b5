import { describe, expect, it } from '@jest/globals';
import { getCalls, startCall } from './support/calls.mts';
import { writes } from './support/raw.mts';
import { type Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';

const LAST = '9999-12-01T00:00:00.000Z';
const END = { mode: 'manual', now: LAST } as const;

const getNow = async ({ control }: Service) => (await control.request('GET', '/health')).body;

describe('the clock at the end of time', () => {
	it('goes there, and refuses to go further without a change', async () => {
		await using own = await startOwnService({ clock: { mode: 'manual', now: '9990-12-01' } });
		const change = { mode: 'real', advance: 'P10Y' };
		const message = `The clock goes to ${LAST}, and no further. It is 9990-12-01T00:00:00.000Z now.`;
		const refused = await own.control.request('POST', '/clock', change);
		expect(refused).toMatchObject({ status: 422, body: { message } });
		expect(await getNow(own)).toMatchObject({ mode: 'manual', now: '9990-12-01T00:00:00.000Z' });
		await own.control.advance('P3287D');
		expect(await getNow(own)).toMatchObject({ now: LAST });
	});

	it('refuses together what each of two requests may do alone', async () => {
		await using own = await startOwnService({ clock: { mode: 'manual', now: '9990-12-01' } });
		const change = { advance: 'P5Y' };
		const both = [1, 2].map(() => own.control.request('POST', '/clock', change));
		expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 422]);
	});

	it('runs what is due until then, and says that something is left', async () => {
		await using own = await startOwnService({
			clock: { mode: 'manual', now: '9999-11-30T23:59:55.000Z' },
		});
		await startCall(own);
		const { body } = await own.control.request('POST', '/clock', { until_idle: true });
		expect(body).toMatchObject({ now: '9999-11-30T23:59:57.000Z', ran: 1, idle: false });
		expect(await getCalls(own.alice)).toMatchObject([{ status: 'ringing' }]);
	});

	it.each(['real', 'accelerated'] as const)('%s: stands still', async (mode) => {
		await using own = await startOwnService({ clock: { mode, now: LAST, speed: 1_000_000 } });
		expect(await getNow(own)).toMatchObject({ mode, now: LAST });
	});

	it('lets the service answer as always, in every zone', async () => {
		for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Niue']) {
			await using own = await startOwnService({ clock: END, assume: { 'time-zone': zone } });
			for (const { method, path, valid } of writes) {
				// The client compares each response with the contract.
				expect((await own.alice.request(method, path, { json: valid })).status).toBeLessThan(500);
			}
			await startCall(own);
			await own.alice.get('/user/assistants/get');
			expect((await own.alice.get('/user/calls', { date_to: '9999-12-31' })).status).toBe(200);
			for (const path of ['/calls', '/events', '/records/leads', '/deliveries', '/requests']) {
				expect((await own.control.request('GET', path)).status).toBe(200);
			}
		}
	});

	it.each(['9999-12-01T00:00:00.001Z', '+010000-01-01T00:00:00Z', 8.64e15, -1, NaN, 'soon'])(
		'is no start: %p',
		async (now) => {
			await expect(startOwnService({ clock: { mode: 'manual', now } })).rejects.toThrow(
				`"${now}" is not a time from 1970-01-01 to 9999-12-01.`,
			);
		},
	);
});
