import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { serviceText } from '../../../../nodes/shared/values/serviceText.ts';
import * as toolMessages from '../../../../nodes/VoiceAssistantCallingMidCallToolTrigger/toolMessages.ts';
import { skippedReason } from '../../../../nodes/VoiceAssistantCallingPollTrigger/pollMessages.ts';
import { events } from '../../../../nodes/VoiceAssistantCallingTrigger/events.ts';
import * as messages from '../../../../nodes/VoiceAssistantCallingTrigger/webhookMessages.ts';
import { forAny } from '../../../support/forAny.mts';

const LONG = 'x'.repeat(400_000);

describe('a text of the service', () => {
	it.each([
		['', ''],
		[' two\r\n\tlines ', 'two lines'],
		['x'.repeat(500), 'x'.repeat(500)],
		['x'.repeat(501), `${'x'.repeat(500)}…`],
	])('%j is shown as %j', (text, shown) => {
		expect(serviceText(text)).toBe(shown);
	});

	it('keeps its letters when the token has one to three', () => {
		expect(serviceText('The token is wrong.', 't')).toBe('The token is wrong.');
	});

	it('never shows the token, whatever its characters', async () => {
		const token = fc.stringMatching(/^[!-~]{4,40}$/).filter((text) => !text.includes('*'));
		await forAny(fc.tuple(token, fc.string(), fc.string()), ([secret, before, after]) => {
			const shown = serviceText(`${before}${secret}${after}${secret.toUpperCase()}`, secret);
			expect(shown.toLowerCase()).not.toContain(secret.toLowerCase());
		});
	});
});

describe('a record of the service whose name has 400 kB', () => {
	const record = { id: 7, name: LONG, endpoint: `https://${LONG}.example.com/` };

	it.each<[string, string]>([
		['an assistant', toolMessages.toolsUnreadable(record)],
		['an assistant and its tool', toolMessages.nameTaken(record, record)],
		['a tool and its host', toolMessages.toolTaken(record, 'https://n8n.example.com/')],
		[
			'an assistant and the host of its webhook',
			messages.urlTaken({
				assistant: record,
				event: events.callCompleted,
				registration: { url: record.endpoint, isActive: true },
				webhookUrl: 'https://n8n.example.com/webhook/1',
			}),
		],
	])('is shown in part: %s', (_what, message) => {
		expect(message.length).toBeLessThan(2_000);
		expect(message).toContain('xxx…');
	});

	it('is shown in part when a poll skips it', () => {
		expect(skippedReason([{ id: LONG }])?.length).toBeLessThan(1_000);
	});
});
