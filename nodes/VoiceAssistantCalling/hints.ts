import type { NodeHint } from 'n8n-workflow';

/** The condition of a hint. n8n's editor evaluates it with the node's fields and input (n8n.md#hints). */
const when = (resource: string, operations: string[], condition = 'true') =>
	`={{ $parameter["resource"] === "${resource}" && ${JSON.stringify(operations)}.includes($parameter["operation"]) && ${condition} }}`;

/**
 * n8n's editor cannot read `$input` while the previous node has not run, or has pinned data (n8n.md#hints).
 * The list may be long then, or one item. So each hint is also true of one item.
 */
const SEVERAL_ITEMS =
	'(() => { try { return $input.all().length > 1; } catch { return true; } })()';

/** A warning that is there before the node runs, because afterwards it is too late. */
const warning = (message: string, displayCondition: string): NodeHint => ({
	message,
	displayCondition,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
});

/** What can call somebody twice, or take calls from another workflow. */
export const hints: NodeHint[] = [
	warning(
		"Each item becomes a lead, even if the campaign already has its phone number. Set 'On Duplicate' to Skip if nobody should be called twice.",
		when(
			'lead',
			['create'],
			`$parameter["additionalFields"]["onDuplicate"] === "createAnyway" && !$parameter["options"]["onlyOnce"] && ${SEVERAL_ITEMS}`,
		),
	),
	warning(
		"One start calls all leads of a campaign. If several items start the same campaign, switch on 'Execute Once' under Settings.",
		when('campaign', ['start'], SEVERAL_ITEMS),
	),
	warning(
		"An assistant has one URL for its calls, so this takes them from a published trigger. 'Get Webhook Status' shows who receives them now.",
		when('assistant', ['enableWebhook', 'enableInboundWebhook']),
	),
	warning(
		"'Webhook URL' takes the calls of the assistant from a published trigger. 'Get Webhook Status' shows who receives them now.",
		when('assistant', ['update'], 'Boolean($parameter["afterTheCall"]["webhookUrl"])'),
	),
];
