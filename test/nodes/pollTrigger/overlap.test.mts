import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { n8nWith } from '../../support/n8n/n8n.mts';
import { stubServersPerTest } from '../../support/n8n/stubServer.mts';
import { EmulatedPollNode, SCHEDULERS } from '../../support/trigger/emulatedPollNode.mts';

const startServer = stubServersPerTest();

describe.each(SCHEDULERS)('with a scheduler that is %s', (scheduler) => {
	it.each(['a poll', 'a publish'])(
		'a call starts the workflow once, when %s begins and ends while a poll reads',
		async (other) => {
			const calls: IDataObject[] = [];
			let isHeld = false;
			let release = () => {};
			const server = await startServer(async () => {
				const response = { body: { last_page: 1, total: calls.length, data: [...calls] } };
				if (isHeld) {
					isHeld = false;
					await new Promise<void>((resolve) => (release = resolve));
				}
				return response;
			});
			const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
			const trigger = new EmulatedPollNode(n8n, {}, scheduler);
			await trigger.publish();
			await trigger.poll();
			const created_at = new Date().toISOString();
			calls.push({ id: 7, status: 'completed', type: 'outbound', duration: 3, created_at });
			isHeld = true;
			const before = server.requests.length;
			const slow = trigger.poll();
			await server.arrived(before + 1);
			await (other === 'a poll' ? trigger.poll() : trigger.publish());
			release();
			await slow;
			await trigger.poll();
			expect(trigger.startedIds).toEqual([7]);
		},
	);
});
