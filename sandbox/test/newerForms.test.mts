import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { A_CALL, assistantRecord, enableWebhook, startCall } from './support/calls.mts';
import { getRows } from './support/client.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { startReceiver } from './support/receiver.mts';
import { newAssistant } from './support/seed.mts';
import type { Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';

/** What newer documents of the service show in another form than the contract (public-service.md). */

const receiver = await startReceiver();
beforeEach(() => receiver.clear());
afterAll(() => receiver.close());

/** The newest call of Alice, which is not compared with the contract. */
const shownCall = async ({ alice }: Service): Promise<JsonObject> =>
	asObject(
		getRows(await alice.request('GET', '/user/calls', { ignoreContract: true }))[0],
		'the call',
	);

it('a call has nulls, `[]`, costs as texts, times in UTC, and an evaluation as a list', async () => {
	await using own = await startOwnService({
		assume: {
			...{ 'call-optional-fields': 'nulls', 'call-empty-values': 'nulls' },
			...{ 'call-evaluation': 'list', 'number-form': 'texts', 'timestamp-form': 'iso' },
			...{ 'empty-objects': 'arrays', 'time-zone': 'Asia/Tokyo' },
		},
	});
	await startCall(own);
	expect(await shownCall(own)).toMatchObject({
		...{ campaign_name: null, recording_url: null, answered_by: null, webhook_response: null },
		...{ variables: [], evaluation: [], carrier_cost: '0.00000000', total_cost: '0.00000000' },
		...{
			created_at: '2026-03-02T09:00:00Z',
			transcript: '',
			assistant_phone_number: '+4915112345601',
		},
	});
	await own.alice.put('/user/assistant/1', { post_call_schema: [] });
	await own.control.advance(A_CALL);
	expect(await shownCall(own)).toMatchObject({
		...{ answered_by: 'human', recording_url: expect.stringMatching(/^http/), variables: [] },
		...{ carrier_cost: '0.02000000', total_cost: '0.15000000', updated_at: '2026-03-02T09:01:08Z' },
		evaluation: [
			{ name: 'score', type: 'integer', value: expect.any(Number), description: 'score' },
			{ name: 'goal_reached', type: 'bool', value: true, description: 'goal reached' },
			{ name: 'summary', type: 'string', value: expect.any(String), description: 'summary' },
		],
	});
});

it('a transcript is a list of turns, with the time of each', async () => {
	await using own = await startOwnService({ assume: { 'transcript-form': 'turns' } });
	await enableWebhook(own.alice, 1, receiver.url);
	await startCall(own, { scenario: 'tool-call' });
	expect(await shownCall(own)).toMatchObject({ transcript: [] });
	await own.control.advance(A_CALL);
	const { transcript } = await shownCall(own);
	const timestamp: unknown = expect.any(Number);
	expect(transcript).toEqual(
		expect.arrayContaining([
			{ text: newAssistant.initial_message, type: 'transcript', sender: 'bot', timestamp },
			{
				...{ text: expect.not.stringContaining('Customer:'), type: 'transcript' },
				...{ sender: 'human', timestamp },
			},
			{
				...{ text: 'Assistant calls the tool get_weather with {}.', type: 'function' },
				...{ sender: 'system', timestamp },
			},
			expect.objectContaining({ type: 'function_result', sender: 'system' }),
		]),
	);
	const times = (transcript as Array<{ timestamp: number }>).map((turn) => turn.timestamp);
	expect(times).toEqual(times.toSorted((one, other) => one - other));
	expect(Number(times[0])).toBeGreaterThan(Date.parse('2026-03-02T09:00:00Z') / 1000);
	expect(Number(times.at(-1))).toBeLessThan(Date.parse('2026-03-02T09:30:00Z') / 1000);
	expect(receiver.arrivals).toMatchObject([{ body: { transcript } }]);
	expect(await own.control.deliveries()).toMatchObject([{ body: { transcript } }]);
});

it('webhook-payload extended: who called, and how often, and the transcript in lines', async () => {
	await using own = await startOwnService({
		assume: { 'webhook-payload': 'extended', 'empty-objects': 'arrays' },
	});
	await enableWebhook(own.alice, 1, receiver.url);
	const { uuid } = await assistantRecord(own.alice, 1);
	for (const fields of [{ lead_id: 1, scenario: 'busy' }, { lead_id: 1 }, {}]) {
		await startCall(own, fields);
		await own.control.advance(A_CALL);
	}
	const { transcript } = await shownCall(own);
	const caller = { assistant_id: uuid, assistant_name: 'Caller', type: 'outbound' };
	expect(receiver.arrivals.map(({ body }) => body)).toMatchObject([
		{ ...caller, formatted_transcript: '', lead: { id: 1, call_tries: 1 } },
		{ ...caller, lead: { id: 1, call_tries: 2, campaign: { id: 1 } } },
		{
			...caller,
			...{ lead: null, input_variables: [] },
			formatted_transcript: String(transcript).replaceAll('Assistant: ', 'AI: '),
		},
	]);
});

it('the path of a list cannot be that of another one', async () => {
	const assume = { 'list-assistants-path': '/user/calls' };
	await expect(startOwnService({ assume })).rejects.toThrow(/^Another operation is GET \/user/);
});

it.each(['/assistants', '/user/lead'])('list-assistants-path %s', async (path) => {
	await using own = await startOwnService({ assume: { 'list-assistants-path': path } });
	const get = async (from: string) =>
		await own.alice.request('GET', from, { ignoreContract: true });
	expect((await get(path)).body).toMatchObject({
		data: [{ id: 1 }, { id: 2 }],
		path: `${own.url}${path}`,
		first_page_url: `${own.url}${path}?page=1`,
	});
	expect((await get('/user/assistants/get')).status).toBe(404);
	// What else has this path is still there.
	expect((await own.alice.post('/user/lead', {})).status).toBe(422);
});
