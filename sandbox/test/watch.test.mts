import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createSandboxClient } from '../client.mts';
import { serviceClient } from './support/client.mts';
import { folderPerTest, processesPerTest } from './support/process.mts';
import { ALICE, twoUsers } from './support/seed.mts';
import { onlyInFull } from '../../test/support/sample.mts';

const { startProcess } = processesPerTest();
const folder = folderPerTest();

/** Starts with one campaign of Alice, and prints events. */
async function startWithCampaign(fields: object) {
	const [alice, bob] = twoUsers().users;
	const campaigns = [{ id: 1, name: 'Spring', assistant_id: 1, ...fields }];
	const file = join(folder(), 'seed.json');
	await writeFile(file, JSON.stringify({ users: [{ ...alice, campaigns }, bob] }));
	const sandbox = await startProcess('--watch', '--clock', 'manual', '--seed', file);
	return { sandbox, control: createSandboxClient(sandbox.control) };
}

onlyInFull(describe)('--watch', () => {
	it('prints one line for each event, in their order, without colours for a file', async () => {
		const { sandbox, control } = await startWithCampaign({ name: 'Two\nlines\u001b[31m' });
		const lead = { campaign_id: 1, phone_number: '+4915112345622' };
		const alice = serviceClient(sandbox.url, ALICE);
		await alice.post('/user/lead', lead);
		await alice.post('/user/lead', lead);
		await control.outbound({ assistant_id: 1, to: '+4915112345699', scenario: 'busy' });
		await control.advance('PT1M');
		while (!sandbox.stdout().includes('The clock was')) await control.request('GET', '/health');

		const lines = sandbox.stdout().trimEnd().split('\n').slice(1);
		const texts = lines.map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/, ''));
		expect(texts).toEqual([
			'lead-added         Lead 102 (+4915112345622) was added to campaign 1 “Two lines [31m”.',
			'request-refused    POST /api/user/lead for +4915112345622 was answered 422. Validation failed. phone_number: A lead with this phone number already exists in the campaign.',
			'call-started       Call 1 to +4915112345699 began with assistant 1 “Caller”. Scenario: The line is busy (busy).',
			'call-ringing       Call 1 to +4915112345699 is ringing.',
			'call-ended         Call 1 to +4915112345699 ended: busy.',
			'webhook-left-out   No webhook is sent for call 1 to +4915112345699: assistant 1 “Caller” has no active webhook for it.',
			expect.stringMatching(
				/^sandbox {12}The clock was moved forward to .* UTC\. Jobs that ran: 2\.$/,
			),
		]);
	});

	it('also prints what happened while the sandbox started', async () => {
		const { sandbox, control } = await startWithCampaign({ status: 'in-progress' });
		while (!sandbox.stdout().includes('call-started')) await control.request('GET', '/health');
		expect(sandbox.stdout()).toContain('for lead 1 (+4915112345611) of campaign 1 “Spring”.');
	});
});
