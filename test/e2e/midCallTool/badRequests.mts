import assert from 'node:assert/strict';

import type { Checks } from '../../support/checks.mts';
import {
	headersOf,
	midCallToolTrigger,
	respond,
	SECRET_HEADER,
	TOOL_CALL,
	toolParameters,
} from '../../support/midCallTools.mts';
import { post as postMany } from '../../support/post.mts';
import { sendRequest } from '../../support/sandbox/client.mts';
import { workflow } from '../../support/workflows.mts';
import type { E2eServers } from '../testEnvironment.mts';
import { answerOf, ownTool, startToolEnvironment } from './toolEnvironment.mts';

const POST_TOOL = 'book_table';
const GET_TOOL = 'find_table';
const POSTING = 1;
const GETTING = 2;
/** n8n 2.41 needs about 50 ms for each (docs/decisions/0005). `npm run bench` sends it 5,000. */
const FORGED = { current: 500, oldest: 5_000 };
const AT_ONCE = 20;
const TYPES = { day: 'string', guests: 'number', outside: 'boolean' };
const GOOD = { day: 'Monday', guests: 2, outside: true };

/** Requests that are no calls of the tool, and arguments that do not fit. */
export async function badRequests(checks: Checks, environment: E2eServers): Promise<void> {
	const { check, require } = checks;
	const tools = await startToolEnvironment(checks, environment, {
		name: 'Bad requests',
		assistants: 2,
	});
	const { editor, credential } = tools;
	const publish = async (name: string, method: string, assistantId: number) => {
		const parameters = { name, method, parameters: toolParameters(TYPES) };
		const nodes = [
			midCallToolTrigger([assistantId], credential, parameters),
			respond('Answer', '={{ $json.parameters }}', credential),
		];
		const { id } = await editor.createWorkflow(workflow(name, nodes, [[TOOL_CALL, 'Answer']]));
		await editor.publish(id);
		const tool = await ownTool(tools, assistantId);
		return { id, url: String(tool.endpoint), headers: headersOf(tool) };
	};
	const countExecutions = async (): Promise<number> =>
		(await editor.executionStates(posting.id)).size;

	const { posting, getting } =
		await require('tools with the methods POST and GET are published', async () => ({
			posting: await publish(POST_TOOL, 'POST', POSTING),
			getting: await publish(GET_TOOL, 'GET', GETTING),
		}));
	const json = { ...posting.headers, 'content-type': 'application/json' };
	/** @returns status and body of the response to a POST request with the secret */
	const post = async (body: string, headers: Record<string, string> = json) => {
		const response = await sendRequest(posting.url, { method: 'POST', headers, body });
		return [response.status, response.body];
	};

	await check('arguments come in the body or in the query, in their declared types', async () => {
		assert.deepEqual(await answerOf(tools, POSTING, POST_TOOL, GOOD), GOOD);
		assert.deepEqual(await answerOf(tools, GETTING, GET_TOOL, GOOD), GOOD);
	});

	const before = await countExecutions();

	await check('a request without the secret, or with a wrong one, gets 401', async () => {
		const secret = posting.headers[SECRET_HEADER] ?? '';
		assert.match(secret, /^[0-9a-f]{64}$/);
		const wrong: Array<Record<string, string>> = [
			{},
			{ [SECRET_HEADER]: '' },
			{ [SECRET_HEADER]: '0'.repeat(64) },
		];
		const responses = await Promise.all([
			...wrong.map(async (headers) => await post(JSON.stringify(GOOD), headers)),
			sendRequest(`${posting.url}?token=${secret}`, { method: 'POST' }).then(({ status }) => [
				status,
			]),
			sendRequest(`${posting.url}?${SECRET_HEADER}=${secret}`).then(({ status }) => [status]),
		]);
		assert.deepEqual(
			responses.map(([status]) => status),
			responses.map(() => 401),
		);
	});

	await check('a request with another method than the tool gets 405', async () => {
		for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
			const { status, headers, body } = await sendRequest(posting.url, {
				method,
				headers: posting.headers,
			});
			assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
			assert.deepEqual(body, { answer: 'This tool only accepts POST requests.' });
		}
	});

	await check(
		'arguments that do not fit get 422, in words that the assistant can say',
		async () => {
			const refused: Array<[body: unknown, answer: string]> = [
				[{}, 'I still need day, guests and outside. Please ask for it and try again.'],
				[
					{ day: 'Monday', guests: 'two', outside: 'maybe' },
					'The value of guests must be a number and outside must be true or false. Please ask for it and try again.',
				],
				[
					{ ...GOOD, day: { of: 'week' } },
					'The value of day must be a text. Please ask for it and try again.',
				],
				[
					{ ...GOOD, guests: [2] },
					'The value of guests must be a number. Please ask for it and try again.',
				],
				[[GOOD], 'I still need day, guests and outside. Please ask for it and try again.'],
			];
			for (const [body, answer] of refused) {
				assert.deepEqual(await post(JSON.stringify(body)), [422, { answer }]);
			}
			const text = await post('"text"');
			assert.equal(text[0], 422);
			const inPrototype = await post(`{"__proto__": ${JSON.stringify(GOOD)}}`);
			assert.equal(inPrototype[0], 422);
		},
	);

	await check('n8n itself refuses JSON that is malformed, and a body of 20 MB', async () => {
		const [malformed] = await post('{"day": ');
		assert.equal(malformed, 422);
		const [large] = await post(JSON.stringify({ ...GOOD, day: 'x'.repeat(20_000_000) }));
		assert.ok([413, 500].includes(Number(large)), String(large));
	});

	await check('none of these requests started an execution', async () => {
		assert.equal(await countExecutions(), before);
	});

	await check(
		'too many and nested arguments reach the workflow only as the tool declares them',
		async () => {
			const many = Object.fromEntries(
				Array.from({ length: 1_000 }, (_, index) => [`extra_${index}`, { deep: [index] }]),
			);
			const body = JSON.stringify({ ...many, ...GOOD });
			assert.deepEqual(await post(body), [200, GOOD]);
			const polluted = `${JSON.stringify(GOOD).slice(0, -1)}, "__proto__": {"polluted": true}}`;
			assert.deepEqual(await post(polluted), [200, GOOD]);
		},
	);

	const forgedCount = FORGED[environment.host];
	await check(`${forgedCount} forged requests start no execution, and n8n goes on`, async () => {
		const started = await countExecutions();
		const headers = { [SECRET_HEADER]: 'f'.repeat(64) };
		const bodies = Array.from({ length: forgedCount }, () => GOOD);
		const { statuses } = await postMany(posting.url, bodies, AT_ONCE, headers);
		assert.deepEqual([...new Set(statuses)], [401]);
		assert.equal(await countExecutions(), started);
		assert.deepEqual(await post(JSON.stringify(GOOD)), [200, GOOD]);
	});

	await editor.unpublish(posting.id);
	await editor.unpublish(getting.id);
}
