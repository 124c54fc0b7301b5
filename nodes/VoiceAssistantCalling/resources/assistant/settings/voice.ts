import type { Field } from '../../../fields/routing';

export const voice: Field = {
	displayName: 'Voice and Sound',
	name: 'voice',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How the assistant sounds, and what is heard around it',
	options: [
		{
			displayName: 'Ambient Sound Volume',
			name: 'ambientSoundVolume',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
			default: 0.5,
			description:
				'Loudness of the background sound, from 0 to 1. Higher: louder. Assumed default: 0.5.',
			routing: { send: { type: 'body', property: 'ambient_sound_volume' } },
		},
		{
			displayName: 'Noise Cancellation',
			name: 'noiseCancellation',
			type: 'boolean',
			default: true,
			description: "Whether noise on the person's side is filtered out. Assumed default: on.",
			routing: { send: { type: 'body', property: 'noise_cancellation' } },
		},
		{
			displayName: 'Speech Speed',
			name: 'speechSpeed',
			type: 'number',
			typeOptions: { minValue: 0.7, maxValue: 1.2, numberPrecision: 2 },
			default: 1,
			description: 'Pace of the voice, from 0.7 to 1.2. Higher: faster. Assumed default: 1.',
			routing: { send: { type: 'body', property: 'speech_speed' } },
		},
		{
			displayName: 'Voice Similarity',
			name: 'voiceSimilarity',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
			default: 0.5,
			description:
				'How close the voice is to the original, from 0 to 1. Higher: closer. Assumed default: 0.5.',
			routing: { send: { type: 'body', property: 'voice_similarity' } },
		},
		{
			displayName: 'Voice Stability',
			name: 'voiceStability',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
			default: 0.7,
			description:
				'How evenly the voice speaks, from 0 to 1. Higher: more evenly. Assumed default: 0.7.',
			routing: { send: { type: 'body', property: 'voice_stability' } },
		},
	],
};
