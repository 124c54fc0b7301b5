import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seal, unseal } from '../../../nodes/VoiceAssistantCallingTrigger/sealedText.ts';

const text = fc.string({ unit: 'binary' });
const apiToken = fc.string({ minLength: 1 });
const owner = fc.string();

describe('a sealed text', () => {
	it('is read by its owner, with the same API token', () => {
		fc.assert(
			fc.property(text, apiToken, owner, (secret, key, boundTo) => {
				expect(unseal(seal(secret, key, boundTo), key, boundTo)).toBe(secret);
			}),
		);
	});

	it('is not read with another API token, and by nobody else', () => {
		fc.assert(
			fc.property(text, apiToken, apiToken, owner, owner, (secret, key, other, one, another) => {
				fc.pre(key !== other && one !== another);
				const sealed = seal(secret, key, one);
				expect(unseal(sealed, other, one)).toBeUndefined();
				expect(unseal(sealed, key, another)).toBeUndefined();
			}),
		);
	});

	it('is not read when anything in it was changed, cut off or added', () => {
		fc.assert(
			fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (secret, at, change) => {
				const bytes = Buffer.from(seal(secret, 'key', 'owner'), 'base64url');
				const changed = Buffer.from(bytes);
				changed[at % bytes.length] = (changed[at % bytes.length] ?? 0) ^ change;
				const cut = bytes.subarray(0, at % bytes.length);
				const longer = Buffer.concat([bytes, Buffer.from([change])]);
				for (const wrong of [changed, cut, longer]) {
					expect(unseal(wrong.toString('base64url'), 'key', 'owner')).toBeUndefined();
				}
			}),
		);
	});

	it('is no error, whatever is read', () => {
		fc.assert(
			fc.property(fc.string(), (any) => {
				expect(unseal(any, 'key', 'owner')).toBeUndefined();
			}),
		);
	});

	it('is different each time, so equal texts cannot be found', () => {
		expect(seal('secret', 'key', 'owner')).not.toBe(seal('secret', 'key', 'owner'));
	});
});
