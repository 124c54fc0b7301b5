import assert from 'node:assert/strict';

import { openLink } from '../../support/chat.mts';
import type { Checks } from '../../support/checks.mts';
import { operationNamed } from '../../support/n8n/operations.mts';
import { startAccount } from '../account.mts';
import { waitingLinks } from '../waitingLinks.mts';
import type { AgentServers } from './agent.mts';
import { operationTools } from './operationTools.mts';
import { publishReviewedAgent, reviewedUse } from './reviewedAgent.mts';

const SMS = operationNamed('sms: send');
const TEXTS = ['The first text', 'The second text'];

/** A model that uses a tool behind a human review step twice in one turn (see docs/agents.md). */
export async function severalUses(checks: Checks, servers: AgentServers): Promise<void> {
	const { check } = checks;
	const { service, alice } = await startAccount(checks, servers, 'Alice, several uses');
	const [tool] = await operationTools(servers, [SMS]);
	assert.ok(tool);
	const once = [reviewedUse(tool, tool.args)];
	const twice = TEXTS.map((body) => reviewedUse(tool, { ...tool.args, body }));
	await using agent = await publishReviewedAgent(checks, servers, {
		name: 'Scripted model, several uses',
		tool,
		alice,
		script: [twice, once, 'I stop.', 'I stop.', twice, 'Done.'],
	});
	const sent = async () => (await service.control.requests()).map(({ body }) => body);
	const links = async (executionId: string) =>
		await waitingLinks(servers.editor, agent.workflowId, executionId, 'webhook-waiting');

	await check(
		"n8n 2.41's chat does not ask about a tool that is used twice in one turn, and nothing is sent",
		async () => {
			using silent = await agent.chat();
			await links(silent.executionId);
			// n8n looks after each chat at the same interval. When it asks in a later one, it has looked
			// after this one too.
			using later = await agent.chat();
			const { click } = await later.question();
			assert.deepEqual(silent.received, []);
			assert.deepEqual(await sent(), []);
			await click('Decline');
			await agent.toolAnswers(later.executionId);
			silent.write('Not today');
			await agent.toolAnswers(silent.executionId);
			assert.deepEqual(await sent(), []);
		},
	);

	await check(
		'n8n 2.41 sends only the first of two uses in one turn after an approval, and the model reads of no other',
		async () => {
			using chat = await agent.chat();
			// Apps such as Slack show this link.
			const approve = (await links(chat.executionId)).find((link) => /approved=true/.test(link));
			assert.ok(approve, 'The execution has no link to approve.');
			assert.deepEqual(await sent(), []);
			await openLink(approve);
			const answers = await agent.toolAnswers(chat.executionId);
			assert.deepEqual(await sent(), [{ ...SMS.request.body, body: TEXTS[0] }]);
			assert.partialDeepStrictEqual(
				answers.map((answer): unknown => JSON.parse(answer)),
				[[{ ...SMS.output, body: TEXTS[0] }]],
			);
			assert.equal(answers.length, 1);
		},
	);
}
