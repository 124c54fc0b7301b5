import assert from 'node:assert/strict';

import {
	getHeaders,
	midCallToolTrigger,
	respond,
	SECRET_HEADER,
	TOOL_CALL,
	toolParameters,
} from '../../support/midCallTools.mts';
import { post } from '../../support/post.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { workflow } from '../../support/workflows.mts';
import type { E2eServers } from '../testEnvironment.mts';
import { getAnswer, ownTool, startToolEnvironment } from './toolEnvironment.mts';

const POSTING = 1;
const GETTING = 2;
/** n8n 2.41 needs about 50 ms for each (n8n.md#expressions-of-a-webhook). */
const FORGED = { current: 200, oldest: 5_000 };
const AT_ONCE = 20;
const TYPES = { day: 'string', guests: 'number', outside: 'boolean' };
const GOOD = { day: 'Monday', guests: 2, outside: true };
const GOOD_BODY = JSON.stringify(GOOD);
const TOO_LARGE = JSON.stringify({ ...GOOD, day: 'x'.repeat(20_000_000) });

const INCOMPLETE = {
	answer: 'I still need day, guests and outside. Please ask for it and try again.',
};
const OTHER_METHOD = { answer: 'This tool only accepts POST requests.' };

interface Request {
	method?: string;
	body?: string;
	headers?: Record<string, string>;
	query?: string;
}

/**
 * Requests that are no calls of the tool: what they have instead of its own, and the response. `test/nodes/`
 * has more of those that the trigger refuses.
 */
const REFUSED: Array<[request: Request, status: number | number[], answer?: object]> = [
	[{ headers: {} }, 401],
	[{ headers: { [SECRET_HEADER]: '0'.repeat(64) } }, 401],
	[{ headers: {}, query: `?${SECRET_HEADER}=` }, 401],
	[{ method: 'GET', body: undefined }, 405, OTHER_METHOD],
	[{ method: 'PUT' }, 405, OTHER_METHOD],
	[{ body: '{}' }, 422, INCOMPLETE],
	// n8n itself refuses these.
	[{ body: '"text"' }, 422],
	[{ body: '{"day": ' }, 422],
	[{ body: TOO_LARGE }, [413, 500]],
];

/** Requests that are no calls of the tool, and arguments that do not fit. */
export async function toolBadRequests(environment: E2eServers): Promise<void> {
	const { check, require, editor, host } = environment;
	const tools = await startToolEnvironment(environment, { name: 'Bad requests', assistants: 2 });
	const { credential } = tools;
	const publish = async (name: string, method: string, assistantId: number) => {
		const parameters = { name, options: { method }, parameters: toolParameters(TYPES) };
		const nodes = [
			midCallToolTrigger([assistantId], credential, parameters),
			respond('Answer', '={{ $json.parameters }}'),
		];
		const { id } = await editor.createWorkflow(workflow(name, nodes, [[TOOL_CALL, 'Answer']]));
		await editor.publish(id);
		const tool = await ownTool(tools, assistantId);
		return { id, url: String(tool.endpoint), secret: getHeaders(tool) };
	};
	const { posting, getting } =
		await require('tools with the methods POST and GET are published', async () => ({
			posting: await publish('book_table', 'POST', POSTING),
			getting: await publish('find_table', 'GET', GETTING),
		}));
	const type = { 'content-type': 'application/json' };
	const send = async ({ query = '', headers = posting.secret, ...request }: Request) => {
		const init = { method: 'POST', body: GOOD_BODY, ...request, headers: { ...type, ...headers } };
		return await sendRequest(posting.url + query, init);
	};
	const countExecutions = async () => (await editor.executionStates(posting.id)).size;

	await check('arguments come in the body or in the query, in their declared types', async () => {
		assert.deepEqual(await getAnswer(tools, POSTING, 'book_table', GOOD), GOOD);
		assert.deepEqual(await getAnswer(tools, GETTING, 'find_table', GOOD), GOOD);
	});

	await check('a request that is no call of the tool starts nothing', async () => {
		const before = await countExecutions();
		const secret = posting.secret[SECRET_HEADER] ?? '';
		assert.match(secret, /^[0-9a-f]{64}$/);
		for (const [{ query, ...request }, statuses, answer] of REFUSED) {
			const inQuery = query === undefined ? {} : { query: query + secret };
			const { status, headers, body } = await send({ ...request, ...inQuery });
			const what = JSON.stringify(request).slice(0, 100);
			assert.ok([statuses].flat().includes(status), `${what}: ${status}`);
			if (answer !== undefined) assert.deepEqual(body, answer, what);
			if (status === 405) assert.equal(headers.get('allow'), 'POST');
		}
		assert.equal(await countExecutions(), before);
	});

	await check(`${FORGED[host]} forged requests start no execution, and n8n goes on`, async () => {
		const started = await countExecutions();
		const secret = { [SECRET_HEADER]: 'f'.repeat(64) };
		const bodies = Array.from({ length: FORGED[host] }, () => GOOD);
		const { statuses } = await post(posting.url, bodies, AT_ONCE, secret);
		assert.deepEqual([...new Set(statuses)], [401]);
		assert.equal(await countExecutions(), started);
		assert.equal((await send({})).status, 200);
	});

	await editor.unpublish(posting.id);
	await editor.unpublish(getting.id);
}
