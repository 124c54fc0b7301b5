import { POLL_TRIGGER } from '../../../../host/n8n/names.mts';
import { onAssistants } from '../../trigger/pollEnvironment.mts';
import { PollNode } from '../../trigger/pollNode.mts';
import { PUBLISH_LIMIT_MS } from './hooks.mts';
import { n8nAt, newWorkflowId, outcomeOf, SECOND, type Subject } from './subject.mts';

/** Some polls of n8n, which polls once a minute. */
const POLL_LIMIT_MS = 300 * SECOND;

/** No trigger with hooks changes it. */
const ASSISTANT_ID = 2;

const A_CALL = 'PT3M';

/** @param before what comes before the call that the poll finds */
const poll = (
	name: string,
	limitMs: number,
	act: (node: PollNode) => Promise<unknown>,
	before: (node: PollNode) => Promise<void> = () => Promise.resolve(),
): Subject => ({
	name,
	type: POLL_TRIGGER,
	isTypical: name === 'the next poll',
	limitMs,
	prepare: async (server, { control }) => {
		const node = new PollNode(n8nAt(server), onAssistants(ASSISTANT_ID));
		node.workflowId = newWorkflowId();
		await before(node);
		await control.outbound({ assistant_id: ASSISTANT_ID, to: '+4915112345611' });
		await control.advance(A_CALL);
		return async () => {
			const { thrown } = await outcomeOf(() => act(node));
			return { thrown, logged: node.warnings, stored: [node.executions, node.database] };
		};
	},
});

const publish = (node: PollNode) => node.publish();

/** The polls of the poll trigger. */
export const POLL_SUBJECTS: Subject[] = [
	poll('publish the poll trigger', PUBLISH_LIMIT_MS, publish),
	poll('the next poll', POLL_LIMIT_MS, (node) => node.poll(), publish),
	poll('the poll at the start of n8n', PUBLISH_LIMIT_MS, (node) => node.restart(), publish),
	poll('fetch a test event of the poll trigger', POLL_LIMIT_MS, (node) => node.fetchTestEvent()),
];
