import assert from 'node:assert/strict';

import * as z from 'zod';

import { waitFor } from '../../host/process/wait.mts';
import { openEditorChat } from '../support/chat.mts';
import type { ToolCall, Turn } from '../support/scriptedModel/script.mts';
import { startScriptedModel } from '../support/scriptedModel/server.mts';
import { DO_NOT_CALL } from './doNotCall.mts';
import { A_CALL, withNode } from './example.mts';
import type { Gallery } from './gallery.mts';

const NAME = 'A chat agent that asks before it calls';
const LIMIT_MS = 60_000;
const filter = z.object({ phone_number: z.string().optional() });
const UNWANTED = { phone_number: '+4915112345632', customer_name: 'Ben Okafor' };
const LEAD = { phone_number: '+4915112345631', customer_name: 'Anna Schmidt' };

/** A use of a tool behind a human review step, which adds parameters of its own (n8n 2.41). */
const reviewed = (tool: string, toolParameters: object = {}): ToolCall => ({
	tool,
	args: { toolParameters, hitlParameters: {} },
});
const ADD_A_LEAD = [reviewed('Add_a_lead', LEAD)];
const START = [reviewed('Start_the_paid_calls')];

/** The conversations of the checks, one after the other. */
const SCRIPT: Turn[] = [
	[
		{ tool: 'Look_up_calls', args: {} },
		{ tool: 'Look_up_assistants', args: {} },
	],
	[{ tool: 'Look_up_calls', args: { phone_number: '' } }],
	[{ tool: 'Look_up_calls', args: { phone_number: LEAD.phone_number } }],
	'There are no calls.',
	ADD_A_LEAD,
	'I add nobody.',
	ADD_A_LEAD,
	START,
	'Anna is called.',
	ADD_A_LEAD,
	'She is there already.',
	[reviewed('Add_a_lead', UNWANTED)],
	'He wants no calls.',
];

/** What was written to the service after both approvals. */
const WRITTEN = [
	{
		campaign_id: 1,
		phone_number: LEAD.phone_number,
		allow_dupplicate: false,
		variables: { customer_name: LEAD.customer_name },
	},
	{ campaign_id: 1, action: 'start' },
];

/** The example lets an agent call somebody only after a person has approved in the chat. */
export async function chatAgentAsksBeforeCalls(gallery: Gallery): Promise<void> {
	const { check, cleanup, open, editor, tables } = gallery;
	const model = await cleanup.use(startScriptedModel(SCRIPT));
	const apiKey = { apiKey: 'test-key', url: model.url };
	const openAiApi = await editor.saveCredential('openAiApi', NAME, apiKey);
	const withModel = withNode('Chat model', () => ({ credentials: { openAiApi } }));
	const example = await open(NAME, [withModel]);
	await example.setUp();
	await example.publish();

	const openChat = async () => await openEditorChat(gallery, example.id, 'When a message arrives');
	const written = async () =>
		(await example.control.requests())
			.filter(({ method }) => method !== 'GET')
			.map(({ body }) => body);
	/** Waits until the agent has ended. @returns what the tools have answered in its conversation */
	const toolAnswers = async (executionId: string) => {
		const ended = await waitFor('the agent to end', LIMIT_MS, async () =>
			editor.execution(executionId),
		);
		assert.equal(ended.status, 'success', ended.error);
		return model.requests.at(-1)?.toolAnswers ?? [];
	};

	await check('the agent looks up calls and assistants without asking', async () => {
		using chat = await openChat();
		assert.equal(await chat.reply(), 'There are no calls.');
		const answers = await toolAnswers(chat.executionId);
		assert.equal(answers.length, 4);
		assert.doesNotMatch(answers.join('\n'), /error/i);
		assert.match(answers[1] ?? '', /"name":"Reception"/);
		const filters = (await example.requests('listCalls')).map(
			({ query }) => filter.parse(query).phone_number,
		);
		assert.deepEqual(filters, [undefined, undefined, LEAD.phone_number]);
	});

	await check('the agent adds nobody when a person declines', async () => {
		using chat = await openChat();
		const { text, click } = await chat.question();
		assert.match(text, /^Add this person to the campaign\?/);
		assert.ok(text.includes(JSON.stringify(LEAD)), text);
		assert.deepEqual(await written(), []);
		await click('Decline');
		assert.equal(await chat.reply(), 'I add nobody.');
		await toolAnswers(chat.executionId);
		assert.deepEqual(await written(), []);
	});

	await check('after two approvals, a lead is added and its campaign started once', async () => {
		using chat = await openChat();
		await (await chat.question()).click('Approve');
		const { text, click } = await chat.question();
		assert.match(text, /^Start the campaign\?/);
		assert.deepEqual(await written(), WRITTEN.slice(0, 1));
		await click('Approve');
		assert.equal(await chat.reply(), 'Anna is called.');
		await toolAnswers(chat.executionId);
		assert.deepEqual(await written(), WRITTEN);
		assert.equal((await example.control.calls()).length, 1);
	});

	await check('a person in the campaign is not added again, also when approved', async () => {
		using chat = await openChat();
		await (await chat.question()).click('Approve');
		assert.equal(await chat.reply(), 'She is there already.');
		assert.match((await toolAnswers(chat.executionId)).at(-1) ?? '', /already (exists|been taken)/);
		await example.control.advance(A_CALL);
		assert.equal((await example.control.calls()).length, 1);
	});

	await check('a person in Do not call is not added, also when approved', async () => {
		await tables.insert(DO_NOT_CALL, [{ phone_number: '0151 / 12 34 56-32' }]);
		const before = await written();
		using chat = await openChat();
		await (await chat.question()).click('Approve');
		assert.equal(await chat.reply(), 'He wants no calls.');
		assert.match((await toolAnswers(chat.executionId)).at(-1) ?? '', /"result":\s*"do not call"/);
		assert.deepEqual(await written(), before);
	});
}
