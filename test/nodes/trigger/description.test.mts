import { describe, expect, it } from '@jest/globals';
import type { IWebhookDescription } from 'n8n-workflow';
import { TRIGGER } from '../../../host/n8n/names.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, type TriggerSettings } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();

const description = () => environment.instance().n8n.nodeType(TRIGGER).description;

function webhook(): IWebhookDescription {
	const webhooks = description().webhooks ?? [];
	expect(webhooks).toHaveLength(1);
	return webhooks[0] as IWebhookDescription;
}

describe('what n8n evaluates with each delivery', () => {
	it('is the path of the webhook, and no other part of its description', () => {
		const expressions = Object.entries(webhook()).filter(([, value]) =>
			String(value).startsWith('='),
		);
		expect(expressions.map(([name]) => name)).toEqual(['path']);
	});

	it('is nothing of its own for version 1 of a trigger', () => {
		const { version, defaultVersion } = description();
		expect([version].flat()).not.toContain(1);
		expect([version].flat()).toContain(defaultVersion);
	});
});

describe('the path of the webhook', () => {
	const original = () => new TriggerNode(environment.instance());
	const pathOf = async (node: TriggerNode) => new URL(await node.url('production')).pathname;

	/** Two triggers cannot share a path: n8n 2.41 refuses the second, and n8n 2.0 disconnects the first. */
	it.each<[string, Partial<TriggerSettings>]>([
		['a copy of the workflow that keeps all ids of its nodes', { workflowId: 'workflow-2' }],
		['a copy of the node in its workflow', { nodeId: 'node-2', nodeName: 'Call Completed1' }],
		['a copy of the node in another workflow', { workflowId: 'workflow-2', nodeId: 'node-2' }],
	])('is another one in %s', async (_, copied) => {
		const node = original();
		const copy = node.copyWith(copied);
		expect(copy.settings.webhookId).toBe(node.settings.webhookId);
		expect(await pathOf(copy)).not.toBe(await pathOf(node));
	});

	it('stays when the node is renamed or edited', async () => {
		const node = original();
		const edited = node.copyWith({ nodeName: 'Renamed', parameters: {} });
		expect(await pathOf(edited)).toBe(await pathOf(node));
	});
});
