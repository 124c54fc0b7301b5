import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { n8nWith } from '../support/n8n.mts';
import { startService } from '../support/sandbox-service.mts';
import { ALICE } from '../support/sandbox-world.mts';

/** Whatever a user fills in arrives as it is: no text, number or JSON is changed on its way. */
const service = await startService();
const n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE });

afterEach(() => service.reset());
afterAll(() => service.close());

const RUNS = { numRuns: 40 };

/** The body that arrives for an update; whether the service takes it does not matter here. */
async function arrived(resource: string, fields: INodeParameters): Promise<unknown> {
	await n8n.runNode({ parameters: { resource, operation: 'update', ...fields } });
	return (await service.control.requests()).at(-1)?.body;
}

/** What n8n does not take for an expression. */
const textOrNothing = fc
	.string({ unit: 'grapheme', maxLength: 80 })
	.filter((value) => !value.startsWith('='));
const text = textOrNothing.filter((value) => value !== '');

/** n8n itself leaves these keys out, wherever they stand (n8n 2.41). */
const KEYS_OF_PROTOTYPES = /^(__proto__|constructor|prototype)$/;
const key = text.filter((value) => !KEYS_OF_PROTOTYPES.test(value));

/** As JSON.parse gives it, without such keys. */
const json = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small' },
		fc.constantFrom(null, true, false),
		fc.integer(),
		fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
		fc.string({ unit: 'grapheme' }),
		fc.array(tie('value')),
		tie('object'),
	),
	object: fc.dictionary(key, tie('value'), { minKeys: 1 }),
})).object;

const twoDecimals = (min: number, max: number) =>
	fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100);

describe('arrives as it was filled in', () => {
	it('any text', async () => {
		await fc.assert(
			fc.asyncProperty(text, text, text, async (initialMessage, systemPrompt, description) => {
				const body = await arrived('assistant', {
					assistantId: '1',
					updateFields: { initialMessage, systemPrompt },
					callHandling: { endCallToolDescription: description },
				});
				expect(body).toEqual({
					initial_message: initialMessage,
					system_prompt: systemPrompt,
					end_call_tool: { description },
				});
			}),
			RUNS,
		);
	});

	it('any number within the limits', async () => {
		const numbers = fc.record({
			speechSpeed: twoDecimals(0.7, 1.2),
			voiceStability: twoDecimals(0, 1),
			ambientSoundVolume: twoDecimals(0, 1),
		});
		const seconds = fc.record({
			maxCallDuration: fc.integer({ min: 20, max: 1200 }),
			maxSilenceDuration: fc.integer({ min: 1, max: 120 }),
		});
		await fc.assert(
			fc.asyncProperty(numbers, seconds, async (voice, callHandling) => {
				expect(await arrived('assistant', { assistantId: '1', voice, callHandling })).toEqual({
					speech_speed: voice.speechSpeed,
					voice_stability: voice.voiceStability,
					ambient_sound_volume: voice.ambientSoundVolume,
					max_call_duration: callHandling.maxCallDuration,
					max_silence_duration: callHandling.maxSilenceDuration,
				});
			}),
			RUNS,
		);
	});

	it('any JSON object in Variables (JSON)', async () => {
		await fc.assert(
			fc.asyncProperty(json, async (variables) => {
				const updateFields = { variablesJson: JSON.stringify(variables) };
				expect(await arrived('lead', { leadId: '1', updateFields })).toEqual({ variables });
			}),
			RUNS,
		);
	});

	const pairs = (name: fc.Arbitrary<string>) =>
		fc.uniqueArray(fc.record({ name, value: textOrNothing }), {
			selector: (pair) => pair.name,
			minLength: 1,
			maxLength: 5,
		});

	it('any list of variables', async () => {
		await fc.assert(
			fc.asyncProperty(pairs(key), async (variable) => {
				const updateFields = { variables: { variable } };
				expect(await arrived('lead', { leadId: '1', updateFields })).toEqual({
					variables: Object.fromEntries(variable.map(({ name, value }) => [name, value])),
				});
			}),
			RUNS,
		);
	});

	it('any list of headers', async () => {
		await fc.assert(
			fc.asyncProperty(pairs(text), async (pairs) => {
				const headers = pairs.map(({ name, value }) => ({ name, value: `${value}.` }));
				const updateFields = { headers: { header: headers } };
				expect(await arrived('tool', { toolId: '1', updateFields })).toEqual({ headers });
			}),
			RUNS,
		);
	});
});
