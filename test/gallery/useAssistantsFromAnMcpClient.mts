import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as z from 'zod';

import { checkDoNotCall, DO_NOT_CALL, numbersAddedBy } from './doNotCall.mts';
import { A_CALL, NO_TIMEOUTS, withNode } from './example.mts';
import type { Gallery } from './gallery.mts';
import { checkLateDelivery, leadOf } from './lateDelivery.mts';
import { runWithProbe } from './largeRuns.mts';

const NAME = 'Use your assistants from an MCP client';
const SERVER = 'For MCP clients';
const TABLE = 'Leads to approve';
const RUN = 'Every five minutes';
const TOKEN = 'a-long-random-token';
/** How many leads a run adds. */
const EACH_RUN = 500;
const PATH = 'mcp/phone-assistants';

const LEAD = {
	phone_number: '+4915112345641',
	customer_name: 'Anna Schmidt',
	reason: 'She asked for a call back.',
};

const answer = z.object({
	isError: z.boolean().optional(),
	content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
});

/** The protocol's own client lists the tools, looks up a call, and proposes a lead, which a person approves. */
export async function useAssistantsFromAnMcpClient(gallery: Gallery): Promise<void> {
	const { check, cleanup, editor, isLarge, open, tables, url } = gallery;
	const httpBearerAuth = await editor.saveCredential('httpBearerAuth', NAME, { token: TOKEN });
	const withToken = withNode(SERVER, () => ({ credentials: { httpBearerAuth } }));
	const example = await open(NAME, [withToken], [], NO_TIMEOUTS);
	const { control, run } = example;
	await example.setUp();
	await example.publish();

	const connect = async (token: string): Promise<Client> => {
		const client = new Client({ name: 'gallery', version: '1.0.0' });
		const requestInit = { headers: { Authorization: `Bearer ${token}` } };
		await client.connect(
			new StreamableHTTPClientTransport(new URL(`${url}/${PATH}`), { requestInit }),
		);
		return await cleanup.use(Promise.resolve(client));
	};
	const use = async (client: Client, name: string, args: object): Promise<string> => {
		const { isError, content } = answer.parse(
			await client.callTool({ name, arguments: { ...args } }),
		);
		const text = content.map((part) => part.text).join('\n');
		assert.ok(isError !== true, text);
		return text;
	};
	const client = await check('an MCP client lists the tools, and needs the token', async () => {
		await assert.rejects(connect('another-token'));
		const connected = await connect(TOKEN);
		const { tools } = await connected.listTools();
		assert.deepEqual(tools.map(({ name }) => name).toSorted(), [
			'Look_up_assistants',
			'Look_up_calls',
			'Propose_a_lead',
		]);
		assert.match(String(connected.getInstructions()), /a person decides/);
		return connected;
	});
	if (client === undefined) return;

	await check('it looks up a call by its number', async () => {
		const id = await example.callOut({ assistant_id: 1, to: '+14155550142' });
		await example.callOut({ assistant_id: 1, to: '+14155550143' });
		const text = await use(client, 'Look_up_calls', { phone_number: '+14155550142' });
		assert.match(text, new RegExp(`"id":${id}\\b`));
		assert.ok(!text.includes('+14155550143'), text);
		assert.match(await use(client, 'Look_up_assistants', {}), /"name":"Reception"/);
	});

	await check('a proposed lead is added once, after a person has approved it', async () => {
		assert.match(await use(client, 'Propose_a_lead', LEAD), /waits for a person/);
		await run(RUN);
		assert.deepEqual(await example.sent('createLead'), []);
		const row = await tables.row(TABLE, { phone_number: LEAD.phone_number });
		assert.partialDeepStrictEqual(row, { ...LEAD, approved: false, result: null });

		await tables.update(TABLE, row, { approved: true });
		await Promise.all([run(RUN), run(RUN)]);
		await run(RUN);
		// The other run finds the lead there, or has its duplicate refused.
		assert.equal(await example.countLeads(LEAD.phone_number), 1);
		const [sent] = await example.sent('createLead');
		assert.partialDeepStrictEqual(sent, {
			campaign_id: 13,
			phone_number: LEAD.phone_number,
			variables: { customer_name: LEAD.customer_name },
		});
		await control.advance(A_CALL);
		const { result } = await tables.row(TABLE, { phone_number: LEAD.phone_number });
		assert.ok(result === 'created' || result === 'duplicate', String(result));
	});

	await check('the row of an approved lead says how the call ended', async () => {
		const person = { phone_number: '+4915112345642', customer_name: 'Cleo Lind' };
		const row = async () => await tables.row(TABLE, person);
		await tables.insert(TABLE, [{ ...person, approved: true }]);
		await run(RUN);
		const { lead_id: leadId } = await row();
		const call = { to: person.phone_number, lead_id: Number(leadId), scenario: 'busy' };
		await example.untilHandled(await example.callOut({ assistant_id: 15, ...call }));
		const { outcome, called_at: calledAt } = await row();
		assert.deepEqual([outcome, typeof calledAt], ['busy', 'string']);
	});

	await checkLateDelivery(
		gallery,
		example,
		async () => await tables.row(TABLE, { phone_number: '+4915112345642' }),
		leadOf,
	);

	await check('who is a lead already is told so in the row', async () => {
		const again = { ...LEAD, customer_name: 'Again' };
		await tables.insert(TABLE, [{ ...again, approved: true }]);
		await run(RUN);
		const { result, details } = await tables.row(TABLE, { customer_name: 'Again' });
		assert.equal(result, 'duplicate');
		assert.match(String(details), /\w/);
	});

	await check('a number that cannot be compared with Do not call says why in its row', async () => {
		await tables.insert(DO_NOT_CALL, [{ phone_number: '+4930111111' }]);
		await tables.insert(TABLE, [{ phone_number: '12', customer_name: 'Ben', approved: true }]);
		await run(RUN);
		const { result, details } = await tables.row(TABLE, { phone_number: '12' });
		assert.equal(result, 'do not call');
		assert.match(String(details), /too few digits|cannot be compared/);
	});

	await checkDoNotCall(gallery, example, async (numbers) => {
		await tables.insert(
			TABLE,
			numbers.map((phone_number) => ({ phone_number, customer_name: 'Dora', approved: true })),
		);
		return await numbersAddedBy(example, async () => await run(RUN));
	});

	// The list of requests keeps the last 10,000.
	const leadCount = async () => {
		const { body } = await control.request('GET', '/records/leads?limit=1');
		return z.object({ total: z.number() }).parse(body).total;
	};
	const many = isLarge ? 10_000 : 1000;
	await check(`${many} approved people are added, and n8n goes on answering`, async () => {
		await tables.remove(TABLE);
		await example.setUp();
		const people = Array.from({ length: many }, (_, index) => ({
			phone_number: `+49151603${10_000 + index}`,
			customer_name: `Person ${index}`,
			approved: true,
		}));
		await tables.insert(TABLE, people);
		const before = await leadCount();
		for (let added = 0; added < many; added += EACH_RUN) {
			await runWithProbe(gallery, example, RUN);
			assert.equal(await leadCount(), before + added + EACH_RUN);
		}
		const rows = await tables.rows(TABLE);
		const results = rows.map(({ result }) => result);
		assert.deepEqual(results, Array(many).fill('created'));
		assert.equal(new Set(rows.map(({ lead_id: id }) => Number(id))).size, many);
	});

	await check('Maximum Items counts each use of a tool by itself', async () => {
		const adding = withNode('Look up assistants', () => ({
			parameters: {
				resource: 'lead',
				operation: 'create',
				campaignId: { __rl: true, mode: 'id', value: '1' },
				phoneNumber: "={{ $fromAI('phone_number') }}",
				options: { maximumItems: 1 },
			},
		}));
		const spending = await open(NAME, [withToken, adding]);
		await spending.publish();
		const agent = await connect(TOKEN);
		const numbers = ['+4915112345651', '+4915112345652'];
		const added = await numbersAddedBy(spending, async () => {
			for (const number of numbers) {
				await use(agent, 'Look_up_assistants', { phone_number: number });
			}
		});
		assert.deepEqual(added, numbers);
	});
}
