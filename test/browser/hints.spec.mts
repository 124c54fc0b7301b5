import { expect } from '@playwright/test';

import { action, fields, node, start, START, workflow } from '../support/workflows.mts';
import { assertLooksRight } from './appearance.mts';
import { THEMES, type EditorPage } from './editor/editorPage.mts';
import { test as base } from './editorTest.mts';

const NODE = 'The node';
const STEP = 'The step before';
const LOOP = 'Loop Over Items';
const PAUSE_SECONDS = 2;

const DUPLICATES = /^Each item becomes a lead, even if the campaign already has its phone number/;
const STARTS = /If several items start the same campaign, switch on/;
const STARTED = /^This node has started campaigns several times/;
const TAKES_CALLS = /^An assistant has one URL for its calls, so this takes them from a published/;
const TAKES_CALLS_BY_UPDATE = /^'Webhook URL' takes the calls of the assistant from a published/;
const PAUSED = new RegExp(`The run waited ${PAUSE_SECONDS} s in total`);

const byId = (value: number) => ({ __rl: true, mode: 'id', value: String(value) });

const phoneNumbers = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `+49151123456${80 + index}`);

/** n8n's *Loop Over Items*, with one item at a time. */
const loop = () => node(LOOP, 'n8n-nodes-base.splitInBatches', 3, { options: {} });

/** A step that passes the phone numbers on. It is below the other nodes, which would cover it. */
const step = () => ({ ...fields(STEP, { phone: '={{ $json.phone }}' }), position: [0, 300] });

type Parameters = Record<string, unknown>;
type Links = Array<[from: string, to: string, output?: number]>;
const BEHIND_STEP: Links = [
	[START, STEP],
	[STEP, NODE],
];
const IN_LOOP: Links = [
	[START, LOOP],
	[LOOP, NODE, 1],
	[NODE, LOOP],
];

const CREATE_LEADS = {
	resource: 'lead',
	operation: 'create',
	campaignId: byId(1),
	phoneNumber: '={{ $json.phone }}',
	additionalFields: { onDuplicate: 'createAnyway' },
};
const START_CAMPAIGN = { resource: 'campaign', operation: 'start', campaignId: byId(1) };

const webhookUrl = 'https://example.com/calls';
const SET_BY_HAND: Array<[what: string, parameters: Parameters, hint: RegExp]> = [
	['Enable Webhook', { operation: 'enableWebhook', webhookUrl }, TAKES_CALLS],
	['Enable Inbound Webhook', { operation: 'enableInboundWebhook', webhookUrl }, TAKES_CALLS],
	['Update', { operation: 'update', afterTheCall: { webhookUrl } }, TAKES_CALLS_BY_UPDATE],
];

type OpenWorkflow = (parameters: Parameters, items: number, links?: Links) => Promise<void>;

/** What prevents damage is on the screen before a run, and what happened after it. */
const test = base.extend<{ openWorkflow: OpenWorkflow }>({
	/** Opens a workflow whose manual trigger has pinned items. */
	openWorkflow: async ({ ui, api, credential }, use) =>
		await use(async (parameters, items, links = [[START, NODE]]) => {
			const nodes = [start(), loop(), step(), action(NODE, parameters, credential)];
			const { id } = await api.createWorkflow({
				...workflow('Hints', nodes, links),
				pinData: { [START]: phoneNumbers(items).map((phone) => ({ json: { phone } })) },
			});
			await ui.workflow.open(id);
		}),
});

test('a hint warns of duplicates, and says how long a run waited', async ({
	ui,
	control,
	openWorkflow,
}) => {
	await openWorkflow(CREATE_LEADS, 3);
	await ui.workflow.openNode(NODE);
	await assertHint(ui, DUPLICATES);
	const headers = { 'Retry-After': String(PAUSE_SECONDS) };
	await control.fault({ operation: 'createLead', status: 429, headers });
	await ui.run('3 items');
	await assertHint(ui, PAUSED);
	await expect(ui.node.hint(DUPLICATES)).toHaveCount(0);
});

test('a hint warns of several starts of uncounted items', async ({ ui, openWorkflow }) => {
	// n8n does not count pinned items.
	await openWorkflow(START_CAMPAIGN, 1);
	await ui.workflow.openNode(NODE);
	await assertHint(ui, STARTS);
});

for (const items of [1, 2]) {
	test(`a hint warns of several starts, or not: ${items}`, async ({ ui, openWorkflow }) => {
		await openWorkflow(START_CAMPAIGN, items, BEHIND_STEP);
		await ui.workflow.openNode(STEP);
		await ui.run(items === 1 ? '1 item' : `${items} items`);
		await ui.node.close();
		await ui.workflow.openNode(NODE);
		await ui.node.shows('No output data');
		if (items > 1) await assertHint(ui, STARTS);
		else await expect(ui.node.hint(STARTS)).toHaveCount(0);
	});
}

test('a hint warns after a campaign was started in a loop', async ({
	ui,
	openWorkflow,
	expectedErrors,
}) => {
	// n8n has no schema of its own node.
	expectedErrors.push(/status of 404 .*\/schemas\/n8n-nodes-base\.splitInBatches/);
	await openWorkflow(START_CAMPAIGN, 2, IN_LOOP);
	await ui.workflow.execute();
	await ui.notification('Workflow executed successfully');
	await ui.closeNotifications();
	await ui.workflow.openNode(NODE);
	await assertHint(ui, STARTED);
});

for (const [what, parameters, hint] of SET_BY_HAND) {
	test(`a hint warns that ${what} takes calls`, async ({ ui, openWorkflow }) => {
		await openWorkflow({ resource: 'assistant', assistantId: byId(1), ...parameters }, 1);
		await ui.workflow.openNode(NODE);
		await assertHint(ui, hint);
	});
}

/** The hint is on the screen and looks right, in both themes. */
async function assertHint(ui: EditorPage, text: RegExp): Promise<void> {
	for (const theme of THEMES) {
		await ui.useTheme(theme);
		await ui.node.hint(text).waitFor();
		await assertLooksRight(ui.node.hint(text));
	}
}
