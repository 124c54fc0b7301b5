import { describe, expect, it } from '@jest/globals';
import { toTimestamp } from '../../../nodes/shared/records/timestamps.ts';
import { readTimestamp } from '../../src/verify/read/timestamps.mts';
import { exitStatus, type Result } from '../../src/verify/verify.mts';
import { startProvider, verifyAt } from './support/measure.mts';
import { startProxy, type ForwardedRequest } from './support/proxy.mts';

const READ = { levels: ['address', 'read'] } as const;

const finding = ({ findings }: Result, key: string) => findings.find((each) => each.key === key);

/** What verify finds when some GETs get other responses. */
async function withResponses(
	other: (request: ForwardedRequest) => number | object | undefined,
): Promise<Result> {
	await using provider = await startProvider();
	await using proxy = await startProxy(provider.url, {
		before: (request) => {
			const response = other(request);
			return typeof response === 'number' ? response : undefined;
		},
		after: (request) => {
			const response = other(request);
			return typeof response === 'object' ? JSON.stringify(response) : undefined;
		},
	});
	return await verifyAt(proxy.url, READ);
}

const isCallList = ({ path }: ForwardedRequest): boolean => path.includes('/user/calls?');

/** What verify finds of calls with these fields. */
const withCall = (fields: object) =>
	withResponses((request) =>
		isCallList(request) && !request.path.includes('per_page=1&')
			? { data: [{ id: 1, status: 'completed', type: 'web', duration: 1, ...fields }] }
			: undefined,
	);

it.each([503, 429])('a list of assistants that answers %i is not missing', async (status) => {
	const result = await withResponses(({ path }) =>
		path.includes('/user/assistants/get') ? status : undefined,
	);
	expect(finding(result, 'list-assistants-path')).toMatchObject({
		outcome: 'not checked',
		failed: true,
	});
	expect(exitStatus(result)).toBe(2);
});

it.each([
	['Y', 'words'],
	['off', 'words'],
	['TRUE', 'texts'],
])('a boolean that is %j is read as by the nodes', async (value, form) => {
	const result = await withResponses(({ path }) =>
		path.includes('/user/assistants/get')
			? { data: [{ id: 1, is_webhook_active: value }] }
			: undefined,
	);
	expect(finding(result, 'boolean-form')).toMatchObject({ outcome: 'other form', value: form });
	expect(finding(result, 'field-types')).toMatchObject({ outcome: 'as assumed' });
});

it('a filter that refuses an unknown assistant differs', async () => {
	const result = await withResponses(({ path }) =>
		path.includes('assistant_id=') ? 422 : undefined,
	);
	expect(finding(result, 'call-filters')).toMatchObject({
		outcome: 'differs',
		seen: 'status 422 for an unknown assistant',
	});
});

it('a service that fails at a wrong page tells nothing about refusals', async () => {
	const result = await withResponses(({ path }) => (path.includes('page=0') ? 500 : undefined));
	for (const key of ['query-errors', 'validation-status']) {
		const failed = { outcome: 'not checked', failed: true, seen: 'The service answered 500.' };
		expect(finding(result, key)).toMatchObject(failed);
	}
});

describe('times', () => {
	it.each([
		'2026-03-02T09:00:00Z',
		'2026-03-02T11:00:00.123456+02:00',
		'2026-03-02 09:00:00Z',
		'2026-03-02T18:00:00+0900',
		'2026-03-02T09:00:00',
		'2026-03-02 09:00:00',
		'2026-03-02 09:00:00 UTC',
		'Mon, 02 Mar 2026 10:00:00 +0100',
		1_772_442_000,
		1_772_442_000.25,
		1_772_442_000_123,
	])('%s is read here as by the nodes', (value) => {
		const { at } = readTimestamp(value);
		expect(toTimestamp(value)).toBe(new Date(at).toISOString().slice(0, 19).replace('T', ' '));
	});

	it.each([
		'25.11.2026 14:00',
		17,
		'Mon, 02 Mar 2026 09:00:00 EST',
		'02 Mar 2026 09:00:00 +0000',
		'Mon, 02 Mar 2026 09:00 +0000',
	])('%s is read by neither', (value) => {
		expect(toTimestamp(value)).toBe(value);
		expect(readTimestamp(value).form).toBe('other');
	});

	it('of a form that the nodes do not read: says that it stays', async () => {
		const result = await withCall({ created_at: '25.11.2026 14:00', updated_at: '25.11.2026' });
		expect(finding(result, 'timestamp-form')).toMatchObject({
			outcome: 'differs',
			advice: expect.stringContaining('in their output as it is'),
		});
	});

	const inMinutes = (ahead: number) =>
		new Date(Date.now() + ahead * 60_000).toISOString().slice(0, 19);

	it.each([
		['the time of now', 0, 'as assumed', 'the newest time is that of now'],
		['a time in the future', 55, 'differs', 'at least 0.75 hours ahead of UTC'],
	])('%s without zone is a hint', async (_, ahead, outcome, seen) => {
		const iso = inMinutes(ahead);
		for (const at of [iso, iso.replace('T', ' ')]) {
			const zone = finding(await withCall({ created_at: at, updated_at: at }), 'time-zone');
			expect(zone).toMatchObject({ outcome, seen, certainty: 'a hint' });
			expect(zone).not.toHaveProperty('value');
		}
	});
});

it('turns with the names that the nodes know are turns', async () => {
	const result = await withCall({ transcript: [{ speaker: 'agent', text: 'Hello.' }] });
	expect(finding(result, 'transcript-form')).toMatchObject({
		seen: 'a list of turns (transcript)',
	});
	expect(JSON.stringify(finding(result, 'field-types'))).not.toContain('transcript');
});
