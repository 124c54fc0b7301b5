import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ANSWER_HEADER } from '../../../../nodes/shared/answers/answer.ts';
import { answerOrFallback } from '../../../../nodes/shared/answers/answerOrFallback.ts';
import { listenOnLoopback } from '../../../support/loopback.mts';

const FALLBACK = '{"answer":"I cannot look that up at the moment."}';
const LONG_MS = 20_000;

type Workflow = (response: ServerResponse) => unknown;

let workflow: Workflow;
let timeLimitMs: number;
let failure: unknown;
/** What the workflow has answered, for a request that repeats this one. */
let workflowAnswer: Promise<string | undefined>;
const { origin, close } = await listenOnLoopback((_, response) => {
	workflowAnswer = answerOrFallback(response as never, FALLBACK, timeLimitMs);
	try {
		workflow(response);
	} catch (error) {
		failure = error;
	}
});
afterAll(close);

/** Sends a request whose response a workflow writes. */
async function request(its: Workflow, limitMs = LONG_MS) {
	workflow = its;
	timeLimitMs = limitMs;
	failure = undefined;
	const response = await fetch(origin);
	return { status: response.status, body: await response.text() };
}

/** What n8n does when the workflow answers. */
const answer: Workflow = (response) => {
	response.setHeader(ANSWER_HEADER, 'true');
	response.setHeader('Content-Type', 'application/json');
	response.end('{"answer":"On Monday"}');
};

/** What n8n does when the workflow fails (n8n 2.0, 2.41). */
const fail: Workflow = (response) => {
	response.statusCode = 500;
	response.setHeader('Content-Length', 31);
	response.end('{"message":"Error in workflow"}');
};

const answered = { status: 200, body: '{"answer":"On Monday"}' };
const fallback = { status: 200, body: FALLBACK };

describe('a request of a tool', () => {
	it.each<[string, Workflow]>([
		['the workflow fails', fail],
		['it ends without an answer', (response) => response.end()],
		[
			'n8n reports that there are no data',
			(response) => {
				response.setHeader('Content-Type', 'application/json');
				response.end('{"message":"Workflow executed successfully but no data was returned"}');
			},
		],
	])('gets the fallback when %s', async (_, its) => {
		expect(await request(its)).toEqual(fallback);
	});

	it('gets the fallback when the time is over', async () => {
		expect(await request(() => undefined, 1)).toEqual(fallback);
	});

	it.each<[string, Workflow, object]>([
		['an answer and then a failure', (response) => [answer(response), fail(response)], answered],
		['two answers', (response) => [answer(response), answer(response)], answered],
		['a failure and then an answer', (response) => [fail(response), answer(response)], fallback],
		[
			'an answer, and then headers in other ways',
			(response) => {
				answer(response);
				response.setHeaders(new Map([['X-Late', '1']]));
				response.appendHeader('X-Late', '2');
				response.removeHeader('X-Late');
				response.write('late');
				response.end();
			},
			answered,
		],
	])('gets only the first one of %s, and nothing throws', async (_, its, expected) => {
		expect(await request(its)).toEqual(expected);
		expect(failure).toBeUndefined();
	});
});

/** What n8n 2.41 does. It sets all headers at once. */
const answerWithHeaders: Workflow = (response) => {
	response.setHeaders(new Map([[ANSWER_HEADER, 'true']]));
	response.end(Buffer.from('{"answer":"On Monday"}'));
};

describe('what the workflow has answered', () => {
	it.each([answer, answerWithHeaders])('is known when it comes in time', async (its) => {
		await request(its);
		expect(await workflowAnswer).toBe('{"answer":"On Monday"}');
	});

	it.each([answer, answerWithHeaders])('is known when it comes after the fallback', async (its) => {
		let late: ServerResponse | undefined;
		const received = await request((response) => {
			late = response;
		}, 1);
		expect(received).toEqual(fallback);
		if (late) its(late);
		late?.end();
		expect(await workflowAnswer).toBe('{"answer":"On Monday"}');
	});

	it.each([fail, (response: ServerResponse) => response.end()])(
		'is nothing when it fails or ends without an answer, in time or later',
		async (its) => {
			await request(its);
			expect(await workflowAnswer).toBeUndefined();
			let late: ServerResponse | undefined;
			await request((response) => {
				late = response;
			}, 1);
			if (late) its(late);
			expect(await workflowAnswer).toBeUndefined();
		},
	);
});
