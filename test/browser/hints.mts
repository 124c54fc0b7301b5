import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { action, fields, node, start, START, workflow } from '../support/workflows.mts';
import { assertLooksRight } from './appearance.mts';
import type { EditorPage } from './editor/editorPage.mts';
import { THEMES } from './explanations.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'The node';
const STEP = 'The step before';
const LOOP = 'Loop Over Items';
const PAUSE_SECONDS = 2;

const DUPLICATES = /^Each item becomes a lead, even if the campaign already has its phone number/;
const STARTS = /If several items start the same campaign, switch on/;
const STARTED = /^This node has started campaigns several times/;
const TAKES_CALLS = /^An assistant has one URL for its calls, so this takes them from a published/;
const TAKES_CALLS_BY_UPDATE = /^'Webhook URL' takes the calls of the assistant from a published/;
const PAUSED = new RegExp(`asked for a pause, ${PAUSE_SECONDS} s in total`);

const byId = (value: number) => ({ __rl: true, mode: 'id', value: String(value) });

/** What prevents damage is on the screen before a run, and what happened after it. */
export async function hints(environment: BrowserEnvironment): Promise<void> {
	const { browser, editor, sandbox, control, check } = environment;
	const credential = await saveCredential(editor, 'Sandbox', sandbox);

	/** Opens a workflow whose manual trigger has pinned items. */
	const openWorkflow = async (parameters: Parameters, items: number, links: Links) => {
		const nodes = [start(), loop(), step(), action(NODE, parameters, credential)];
		const { id } = await editor.createWorkflow({
			...workflow('Hints', nodes, links),
			pinData: { [START]: phoneNumbers(items).map((phone) => ({ json: { phone } })) },
		});
		await browser.workflow.open(id);
	};
	/** Opens the node behind pinned items, which n8n does not count. */
	const open = async (parameters: Parameters, items: number) => {
		await openWorkflow(parameters, items, DIRECT);
		await browser.workflow.openNode(NODE);
	};
	/** Opens the node behind a step that has run, whose items n8n counts. */
	const openAfterStep = async (parameters: Parameters, items: number) => {
		await openWorkflow(parameters, items, BEHIND_STEP);
		await browser.workflow.openNode(STEP);
		await browser.node.execute();
		assert.equal(await browser.output.itemCount(), items === 1 ? '1 item' : `${items} items`);
		await browser.notifications.closeAll();
		await browser.node.close();
		await browser.workflow.openNode(NODE);
	};

	await check('a hint warns of duplicates before a list of leads is created', async () => {
		await open(CREATE_LEADS, 3);
		await assertHint(browser, DUPLICATES);
	});

	await check('a hint says how long a run waited because the service asked for it', async () => {
		const headers = { 'Retry-After': String(PAUSE_SECONDS) };
		await control.fault({ operation: 'createLead', status: 429, headers });
		await browser.node.execute();
		assert.equal(await browser.output.itemCount(), '3 items');
		await browser.notifications.closeAll();
		await assertHint(browser, PAUSED);
		assert.equal(await browser.output.hint(DUPLICATES).count(), 0);
		await browser.node.close();
	});

	await check('a hint warns of several starts while nobody knows how many items come', async () => {
		await open(START_CAMPAIGN, 1);
		await assertHint(browser, STARTS);
		await browser.node.close();
	});

	await check('a hint warns of several starts when two items come', async () => {
		await openAfterStep(START_CAMPAIGN, 2);
		await assertHint(browser, STARTS);
		await browser.node.close();
	});

	await check('no hint warns of several starts when one item comes', async () => {
		await openAfterStep(START_CAMPAIGN, 1);
		await browser.output.shows('No output data');
		assert.equal(await browser.output.hint(STARTS).count(), 0);
		await browser.node.close();
	});

	await check(
		'a hint warns after a campaign was started in a loop',
		async () => {
			await openWorkflow(START_CAMPAIGN, 2, IN_LOOP);
			await browser.workflow.execute();
			await browser.notifications.titled('Workflow executed successfully').waitFor();
			await browser.notifications.closeAll();
			await browser.workflow.openNode(NODE);
			await assertHint(browser, STARTED);
			await browser.node.close();
		},
		/status of 404 .*\/schemas\/n8n-nodes-base\.splitInBatches/,
	); // n8n has no schema of its own node.

	for (const [what, parameters, hint] of SET_BY_HAND) {
		await check(`a hint warns that ${what} takes the calls of a published trigger`, async () => {
			await open({ resource: 'assistant', assistantId: byId(1), ...parameters }, 1);
			await assertHint(browser, hint);
			await browser.node.close();
		});
	}
}

/** The hint is on the screen and looks right, in both themes. */
async function assertHint(browser: EditorPage, text: RegExp): Promise<void> {
	for (const theme of THEMES) {
		await browser.useTheme(theme);
		await browser.output.hint(text).waitFor();
		await assertLooksRight(browser.output.hint(text));
	}
}

const phoneNumbers = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `+49151123456${80 + index}`);

/** n8n's *Loop Over Items*, with one item at a time. */
const loop = () => node(LOOP, 'n8n-nodes-base.splitInBatches', 3, { options: {} });

/** A step that passes the phone numbers on. It is below the other nodes, which would cover it. */
const step = () => ({ ...fields(STEP, { phone: '={{ $json.phone }}' }), position: [0, 300] });

type Parameters = Record<string, unknown>;
type Links = Array<[from: string, to: string, output?: number]>;
const DIRECT: Links = [[START, NODE]];
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
