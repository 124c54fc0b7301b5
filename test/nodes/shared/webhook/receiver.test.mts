import { expect, it } from '@jest/globals';
import {
	describeReceiver,
	postCallUrl,
	shownUrl,
} from '../../../../nodes/shared/webhook/receiver.ts';

const UUID = '9f2b6c10-0000-4000-8000-000000000001';

it('a URL that is encoded and cut off is shown as it is', () => {
	expect(shownUrl('https%3A%2F%2Fcrm.example%2')).toBe('https%3A%2F%2Fcrm.example%2');
	expect(shownUrl('https%3A%2F%2Fcrm.example')).toBe('https://crm.example');
});

it('the path of another system is never shown, even if it looks like that of a trigger', () => {
	const receiver = describeReceiver(`https://crm.example/hooks/${UUID}/secret/${UUID}`);
	expect(receiver).toMatchObject({ receiver: 'other', url: 'https://crm.example/***' });
	const own = describeReceiver(`https://n8n.example/webhook/${UUID}/workflow/${UUID}`);
	expect(own).toMatchObject({ receiver: 'trigger', workflow_id: 'workflow' });
});

it.each(['yes', 'active', 1, true, undefined, null])(
	'a webhook that is %j may be on, so a missing URL is not known',
	(is_webhook_active) => {
		expect(postCallUrl({ is_webhook_active })).toBeUndefined();
	},
);

it.each([null, '', ' ', '-', 'null', 'none', 'None', 'nil'])('%j is no URL', (value) => {
	expect(shownUrl(value)).toBe('');
});

it.each([null, ''])('a webhook that is on, and whose URL is %j, is hidden', (webhook_url) => {
	expect(postCallUrl({ webhook_url, is_webhook_active: true })).toBeUndefined();
	expect(postCallUrl({ webhook_url, is_webhook_active: false })).toBe('');
	// Without the flag, nothing says that there is one.
	expect(postCallUrl({ webhook_url })).toBe('');
});

it.each([false, 'false', '', 'no', 'off', 'inactive'])(
	'a webhook that is %j is off',
	(is_webhook_active) => {
		expect(postCallUrl({ is_webhook_active })).toBe('');
	},
);

it.each(['webhook', 'hooks', 'api/hooks', 'n8n/api/hooks'])(
	'a trigger below the path %s is known by its token',
	(path) => {
		const token = '0'.repeat(64);
		const url = `https://n8n.example/${path}/${UUID}/workflow/${UUID}`;
		const known = { receiver: 'trigger', workflow_id: 'workflow', node_id: UUID };
		expect(describeReceiver(`${url}?token=${token}`)).toMatchObject(known);
		// A tool has it in a header.
		expect(describeReceiver(url, token)).toMatchObject(known);
	},
);
