import type { NodeHint } from 'n8n-workflow';

/** What a choice sets. n8n's editor evaluates the condition with the node's fields (n8n.md#hints). */
const setting = (field: string, choice: string, set: string, inTest = ''): NodeHint => ({
	message: `While this workflow is published, the assistant's setting ${set}. Unpublishing puts it back. Listening for a test event leaves it as it is${inTest}.`,
	displayCondition: `={{ $parameter["triggerOn"] === "callCompleted" && $parameter${field} === "${choice}" }}`,
	location: 'outputPane',
});

const [ONLY_COMPLETED, RECORDING] = [
	"'Webhook Only on Completed'",
	"'Include Recording in Webhook'",
];

/** What the trigger sets at the assistant, above its output. */
export const hints: NodeHint[] = [
	setting(
		'["calls"]',
		'all',
		`${ONLY_COMPLETED} is off, so all calls start it`,
		', so a test may get completed calls only',
	),
	setting(
		'["calls"]',
		'onlyCompleted',
		`${ONLY_COMPLETED} is on, so only completed calls start it`,
	),
	setting('["options"]["recording"]', 'include', `${RECORDING} is on`),
	setting('["options"]["recording"]', 'leaveOut', `${RECORDING} is off`),
];
