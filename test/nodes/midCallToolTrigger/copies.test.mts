import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { asObject } from '../../../sandbox/test/support/contract.mts';
import { BOB } from '../../../sandbox/test/support/seed.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { failureMessage, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	existingTool,
	toolTrigger,
	triggerParameters,
} from '../../support/trigger/toolTrigger.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import type { Instance } from '../../support/trigger/triggerNode.mts';
import { sampled } from '../../support/sample.mts';

/** Alice's own tool, which assistant 1 has. */
const OTHERS_TOOL = 1;
const TOOL = 102;

/** Nobody listens here. */
const CLOSED_URL = 'http://127.0.0.1:1';

const [oldServer, newServer] = [await startWebhookServer(), await startWebhookServer()];
const TAKING = { replaceTool: true };

const environments = {
	contract: await startTriggerEnvironment(),
	current: await startTriggerEnvironment({ service: 'current' }),
};

describe.each(sampled(['contract', 'current'] as const, 2))(
	'a second n8n at the service %s',
	(service) => {
		const environment = environments[service];
		const { alice, control } = environment.service;

		/** At the newer service, the user says which other tools there are. */
		const SAID = {
			otherTools: 'these',
			otherToolIds: { values: [{ toolId: { __rl: true, mode: 'id', value: OTHERS_TOOL } }] },
		};

		function workflow(webhookUrl = oldServer.url, parameters: IDataObject = {}, changed = {}) {
			const instance: Instance = { ...environment.instance({ webhookUrl }), ...changed };
			const node = toolTrigger(instance, {
				parameters: triggerParameters([1], { ...SAID, ...parameters }),
			});
			return new EmulatedLifecycle(node);
		}

		async function published(webhookUrl?: string) {
			const lifecycle = workflow(webhookUrl);
			if (webhookUrl === undefined) oldServer.serve(lifecycle);
			await lifecycle.publish();
			return lifecycle;
		}

		function copyOf({ staticData }: EmulatedLifecycle, parameters: IDataObject = {}, changed = {}) {
			const copy = workflow(newServer.url, parameters, changed);
			copy.staticData = structuredClone(staticData);
			letTimePass();
			return newServer.serve(copy);
		}

		const warningsOf = ({ node }: EmulatedLifecycle) => node.instance.warnings;

		const endpoint = async (id = TOOL) =>
			String(asObject((await alice.get(`/user/tools/${id}`)).body, 'tool').endpoint);

		/** The tools of the first assistant, whether the service shows them or not. */
		async function attached(): Promise<unknown> {
			const { body } = await control.request('GET', '/records/assistants/1');
			return asObject(asObject(body, 'assistant').settings, 'settings').tool_ids;
		}

		it('takes nothing of the first one, and says so', async () => {
			const copy = copyOf(await published());
			await environment.expectUnchanged(() => copy.unpublish());
			expect(await attached()).toEqual([OTHERS_TOOL, TOOL]);
			expect(warningsOf(copy)).toEqual([
				expect.stringContaining(
					`leaves the tool 'get_free_slots' (ID ${TOOL}) as it is, because it leads to the host ${new URL(oldServer.url).host} and not to this n8n.`,
				),
			]);
			const message = await failureMessage(copy.publish());
			expect(message).toContain(`'get_free_slots' (ID ${TOOL})`);
			expect(message).toContain("'Use Existing'");
			expect(await endpoint()).toContain(oldServer.url);
			expect(await attached()).toEqual([OTHERS_TOOL, TOOL]);
		});

		it.each([
			['a new tool', {}, existingTool(OTHERS_TOOL)],
			['an existing one', existingTool(2, TAKING), existingTool(OTHERS_TOOL, TAKING)],
		])('takes off %s when an expression names another one now', async (_, before, now) => {
			const lifecycle = oldServer.serve(workflow(oldServer.url, before));
			await lifecycle.publish();
			expect(await attached()).not.toEqual([OTHERS_TOOL]);
			lifecycle.node.settings.parameters = triggerParameters([1], { ...SAID, ...now });
			letTimePass();
			expect(await lifecycle.node.hook('delete', 'production', lifecycle.staticData)).toBe(true);
			expect(await attached()).toEqual([OTHERS_TOOL]);
		});

		it('creates a tool of its own when it has another name', async () => {
			const copy = copyOf(await published(), { name: 'of_the_copy' });
			await copy.publish();
			expect(await attached()).toEqual([OTHERS_TOOL, TOOL, TOOL + 1]);
			await copy.unpublish();
			expect(await attached()).toEqual([OTHERS_TOOL, TOOL]);
			expect(await endpoint()).toContain(oldServer.url);
		});

		it('takes the tool with Replace Existing Tool', async () => {
			const first = await published();
			const existing = existingTool(TOOL);
			expect(await failureMessage(copyOf(first, existing).publish())).toContain(
				`belongs to the host ${new URL(oldServer.url).host}. Switch on 'Replace Existing Tool'`,
			);
			await copyOf(first, existingTool(TOOL, { replaceTool: true })).publish();
			expect(await endpoint()).toContain(newServer.url);
			await environment.expectUnchanged(() => first.unpublish());
			expect(await attached()).toEqual([OTHERS_TOOL, TOOL]);
		});

		it.each(['unpublished there', 'gone'])(
			'uses the tool of the first one when that is %s, also at another path',
			async (how) => {
				const first = await published(how === 'gone' ? CLOSED_URL : undefined);
				if (how !== 'gone') oldServer.serve(workflow());
				const moved = copyOf(first, {}, { webhookPath: 'n8n/webhook' });
				await moved.unpublish();
				expect(warningsOf(moved)).toHaveLength(1);
				await moved.publish();
				expect(await endpoint()).toContain(`${newServer.url}/n8n/webhook/`);
				await moved.unpublish();
				expect(await attached()).toEqual([OTHERS_TOOL]);
			},
		);

		it('recognises its tool at the same address with a new database and another key', async () => {
			await published();
			letTimePass();
			const fresh = workflow(oldServer.url, {}, { id: 'instance-2' });
			await fresh.publish();
			expect(await attached()).toEqual([OTHERS_TOOL, TOOL]);
			await fresh.unpublish();
			expect(await attached()).toEqual([OTHERS_TOOL]);
		});

		it('an address that leads to the same n8n is no other one', async () => {
			const lifecycle = await published();
			const name = new URL(oldServer.url);
			name.hostname = 'localhost';
			lifecycle.node.instance.webhookUrl = name.origin;
			letTimePass();
			await lifecycle.unpublish();
			await lifecycle.publish();
			expect(await endpoint()).toContain('localhost');
		});

		it('finds its tool again after a wrong token was corrected, and the log names what was left', async () => {
			const lifecycle = await published();
			const { credential } = lifecycle.node.instance.n8n;
			const right = credential.apiToken;
			credential.apiToken = BOB;
			await lifecycle.unpublish();
			expect(warningsOf(lifecycle)).toEqual([
				expect.stringContaining(
					`may still be the tool ${TOOL} of the assistant 1, which the present credential does not show`,
				),
			]);
			credential.apiToken = right;
			letTimePass();
			await lifecycle.publish();
			await lifecycle.unpublish();
			expect(await attached()).toEqual([OTHERS_TOOL]);
		});

		it('a publish whose failure may leave the tool names it', async () => {
			const lifecycle = await published();
			await lifecycle.unpublish();
			lifecycle.node.settings.parameters = triggerParameters([1], {
				...SAID,
				options: { timeout: 7 },
			});
			await environment.fault('updateTool', { drop: 'after', times: 1 });
			await environment.fault('updateAssistant', { drop: 'after', times: 1 });
			await environment.fault('getTool', { drop: true, skip_first: 1 });
			await environment.fault('listAssistants', { drop: true, skip_first: 1 });
			const { node, staticData } = lifecycle;
			const create = withoutWaits(() =>
				failureMessage(node.hook('create', 'production', staticData)),
			);
			expect(await create).toContain(
				`The tool with the ID ${TOOL} exists, and the assistant 1 may have it: `,
			);
		});
	},
);
