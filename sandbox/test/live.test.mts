import { describe, expect, it } from '@jest/globals';
import { startCall } from './support/calls.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

/** Opens the live changes. */
async function openLive() {
	const abort = new AbortController();
	const response = await fetch(`${service.controlUrl}/live`, { signal: abort.signal });
	if (!response.body) throw new Error('no body');
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let text = '';
	return {
		response,
		/** The next change; undefined after the end. */
		async next(): Promise<JsonObject | undefined> {
			while (!text.includes('\n\n')) {
				const { done, value } = await reader.read();
				if (done) return undefined;
				text += value;
			}
			const [message = '', ...rest] = text.split('\n\n');
			text = rest.join('\n\n');
			const data = /^event: change\ndata: (.*)$/.exec(message)?.[1];
			return asObject(JSON.parse(data ?? 'null'), 'change');
		},
		close: () => abort.abort(),
	};
}

/** Resolves with the first change that has this newest event. */
async function untilEvent(live: Awaited<ReturnType<typeof openLive>>, id: number) {
	for (;;) {
		const change = await live.next();
		if (change === undefined || change.last_event === id) return change;
	}
}

describe('live changes', () => {
	it('begin with what there is, and tell of every event and request', async () => {
		const live = await openLive();
		expect(live.response.headers.get('content-type')).toContain('text/event-stream');
		expect(await live.next()).toEqual({
			last_event: 1,
			last_request: 0,
			now: expect.stringMatching(/Z$/),
		});
		await service.alice.get('/user/calls');
		expect(await live.next()).toMatchObject({ last_event: 1, last_request: 1 });
		await service.alice.post('/user/lead', { campaign_id: 1, phone_number: '+4915112345622' });
		expect(await untilEvent(live, 2)).toMatchObject({ last_request: 2 });
		live.close();
	});

	it('tell of a reset, after which the ids begin again', async () => {
		const live = await openLive();
		expect(await live.next()).toMatchObject({ last_event: 1 });
		await service.control.reset();
		expect(await live.next()).toMatchObject({ last_event: 1, last_request: 0 });
		live.close();
	});

	it('go to all who listen, also when one of them does not read', async () => {
		const [idle, live] = [await openLive(), await openLive()];
		for (let event = 2; event <= 6; event += 1) {
			await startCall(service);
			expect(await untilEvent(live, event)).toBeDefined();
		}
		// It reads all that it has missed.
		expect(await untilEvent(idle, 6)).toBeDefined();
		for (const one of [idle, live]) one.close();
	});

	it('are no HEAD request', async () => {
		const { status } = await fetch(`${service.controlUrl}/live`, { method: 'HEAD' });
		expect(status).toBe(404);
	});
});
