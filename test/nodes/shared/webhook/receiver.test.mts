import { expect, it } from '@jest/globals';
import { readReceiver, postCallUrl, shownUrl } from '../../../../nodes/shared/webhook/receiver.ts';

const UUID = '9f2b6c10-0000-4000-8000-000000000001';

it('the path of another system is never shown, even if it looks like that of a trigger', () => {
	const receiver = readReceiver(`https://crm.example/hooks/${UUID}/secret/${UUID}`);
	expect(receiver).toMatchObject({ receiver: 'other', url: 'https://crm.example/***' });
});

it.each([null, ''])('%j is no URL', (value) => {
	expect(shownUrl(value)).toBe('');
});

it.each([null, ''])('a webhook that is on, and whose URL is %j, is hidden', (webhook_url) => {
	expect(postCallUrl({ webhook_url, is_webhook_active: true })).toBeUndefined();
	expect(postCallUrl({ webhook_url, is_webhook_active: false })).toBe('');
	// Without the flag, nothing says that there is one.
	expect(postCallUrl({ webhook_url })).toBe('');
});

it.each(['webhook', 'hooks', 'api/hooks', 'n8n/api/hooks'])(
	'a trigger below the path %s is known by its token',
	(path) => {
		const token = '0'.repeat(64);
		const url = `https://n8n.example/${path}/${UUID}/workflow/${UUID}`;
		const known = { receiver: 'trigger', workflow_id: 'workflow', node_id: UUID };
		expect(readReceiver(`${url}?token=${token}`)).toMatchObject(known);
		// A tool has it in a header.
		expect(readReceiver(url, token)).toMatchObject(known);
	},
);
